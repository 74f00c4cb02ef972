import { describe, expect, it } from "vitest";
import type { Descriptor, Scale } from "../api/types";
import { groupsOf, textOf, titleOf, way } from "./scales";

const scale = (name: string, help: string, max: number | null = null): Scale => ({ name, help, min: 0, max, better: "low" });
const measure = (name: string, purpose: string, ...scales: Scale[]) => ({ name, purpose, gauge: { cost: "pass", scales } }) as unknown as Descriptor;

const share = scale("distance_share", "distance between data and release, as a share of the largest", 1);
const metres = scale("distance", "distance between data and release, in the unit of the places");
const kl = scale("kl_divergence", "divergence of the supports, in nats");
const measures = [measure("distance", "how far people were moved", share, metres), measure("kl", "how far supports are", kl)];

describe("the words of a number come from its descriptor", () => {
  it("a help is a title, and a number without one keeps its name", () => {
    expect(titleOf(share)).toBe("Distance between data and release, as a share of the largest");
    expect(titleOf(scale("some_number", ""))).toBe("Some number");
  });
  it("shares are percentages, seconds say so", () => {
    expect(textOf(share)(0.125)).toBe("12.5%");
    expect(textOf(metres)(145.39)).toBe("145.4");
    expect(textOf(scale("seconds", "time"))(0.0034567)).toBe("3.46 ms");
    expect(textOf(scale("are", "average relative error of the queries of a workload"))(1.25)).toBe("125%");
    expect(way("low")).toMatch(/lower is better/);
    expect(way("neither")).toBe("");
  });
  it("numbers stand under their measure, then attackers, then the time, and none is told twice", () => {
    const risk = scale("risk", "singled out by 4", 1);
    const groups = groupsOf([kl, scale("seconds", "time"), risk, scale("singled_out_4", "singled out by 4", 1), share], measures);
    expect(groups.map((group) => [group.title, group.scales.map((one) => one.name)])).toEqual([
      ["How far people were moved", ["distance_share"]],
      ["How far supports are", ["kl_divergence"]],
      ["What attackers still find", ["risk"]],
      ["What it takes", ["seconds"]],
    ]);
  });
});
