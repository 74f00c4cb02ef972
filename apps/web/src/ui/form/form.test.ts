import { describe, expect, it } from "vitest";
import type { Descriptor, Param } from "../api/types";
import { fieldOf, given, shareOf, split, wrong, wrongs } from "./form";

const k: Param = { name: "k", kind: { type: "integer", min: 1, max: 1_000_000_000 }, default: "5", help: "people who must share every itinerary" };
const m: Param = { name: "m", kind: { type: "integer", min: 1, max: 8 }, default: "2", help: "events an attacker may know" };
const L: Param = { name: "L", kind: { type: "integerormax", min: 1, max: 4_294_967_295 }, default: null, help: "how many timed visits an attacker may know" };
const C: Param = { name: "C", kind: { type: "share" }, default: "1", help: "how sure the attacker may be" };
const rare: Param = { name: "K-prime", kind: { type: "threshold" }, default: "1%", help: "people that make a sequence frequent" };
const linkage: Param = { name: "distance", kind: { type: "choice", words: ["average", "single"] }, default: "average", help: "how far apart two groups are" };
const naive: Param = { name: "no-apriori", kind: { type: "switch" }, default: "false", help: "treat length m first" };

const method = (params: Param[]): Descriptor => ({ name: "x", kind: "method", purpose: "", takes: ["sequences"], needs: [], params, keeps: "km", variants: false, paper: "", example: "", notes: "" });

describe("a field comes from the descriptor alone", () => {
  it("a whole number keeps its range, and an absurd limit is not shown", () => {
    expect(fieldOf(m)).toMatchObject({ control: "number", min: 1, max: 8, step: 1, hint: "1 to 8", placeholder: "2", required: false });
    expect(fieldOf(k).hint).toBe("1 or more");
  });
  it("a parameter without default is required", () => {
    expect(fieldOf(L)).toMatchObject({ control: "text", required: true, placeholder: "" });
  });
  it("words become a choice and a switch stays a switch", () => {
    expect(fieldOf(linkage)).toMatchObject({ control: "choice", words: ["average", "single"] });
    expect(fieldOf(naive).control).toBe("switch");
  });
});

describe("what was typed", () => {
  it("nothing typed means the default, where there is one", () => {
    expect(wrong(k, "")).toBeNull();
    expect(wrong(k, undefined)).toBeNull();
    expect(wrong(L, " ")).toBe("This is needed.");
  });
  it("numbers outside the range or not whole are refused", () => {
    expect(wrong(m, "9")).toBe("It must be 1 to 8.");
    expect(wrong(m, "0")).not.toBeNull();
    expect(wrong(m, "2.5")).toBe("A whole number, please.");
    expect(wrong(m, "1e1")).not.toBeNull();
    expect(wrong(m, "8")).toBeNull();
  });
  it("max is a number only where it may be", () => {
    expect(wrong(L, "max")).toBeNull();
    expect(wrong(k, "max")).not.toBeNull();
  });
  it("a share is the same as decimal, percent or fraction", () => {
    expect([shareOf("0.6"), shareOf("60%"), shareOf("3/5")]).toEqual([0.6, 0.6, 0.6]);
    expect(wrong(C, "101%")).not.toBeNull();
    expect(wrong(C, "3/0")).not.toBeNull();
    expect(wrong(C, "-1")).not.toBeNull();
  });
  it("a threshold is people or a share of them", () => {
    expect(wrong(rare, "30")).toBeNull();
    expect(wrong(rare, "2.5%")).toBeNull();
    expect(wrong(rare, "0.3")).not.toBeNull();
  });
  it("each wrong field is named", () => {
    expect(Object.keys(wrongs(method([k, m, L]), { k: "many", m: "3" }))).toEqual(["k", "L"]);
  });
});

it("only what differs from the defaults is written down, in the descriptor's order", () => {
  const settings = { distance: "single", m: "2", k: "10 ", unknown: "1" };
  expect(Object.entries(given(method([k, m, linkage]), settings))).toEqual([["k", "10"], ["distance", "single"]]);
});

it("the promise's parameters, and those without default, come before fine-tuning", () => {
  const promise = { ...method([k, m]), kind: "promise" as const };
  const parts = split(method([linkage, k, L, m]), promise);
  expect(parts.promise.map((param) => param.name)).toEqual(["k", "L", "m"]);
  expect(parts.method.map((param) => param.name)).toEqual(["distance"]);
});
