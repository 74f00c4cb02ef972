import { describe, expect, it } from "vitest";
import type { CompareCell, CompareResult, Descriptor, Param } from "../../ui/api/types";
import { firstPlots, firstRange, gaps, seriesOf, variable } from "./compare";

const cell = (method: string, x: string, values: Record<string, number | null>, problem: string | null = null): CompareCell => ({ method, x, state: problem ? "failed" : "done", problem, values, spread: {}, runs: 1 });
const scale = (name: string) => ({ name, help: "", min: 0, max: 1, better: "low" as const });
const result: CompareResult = {
  param: "k",
  scales: ["intact", "distance", "meaning", "risk", "seconds"].map(scale),
  cells: [
    cell("b", "10", { intact: 0, distance: 0.4, meaning: 0.1, risk: 0.1, seconds: 2 }),
    cell("b", "5", { intact: 0, distance: 0.2, meaning: 0.3, risk: 0.2, seconds: 1 }),
    cell("a", "5", {}, "fewer than k people"),
  ],
  planned: 3,
  decided: 3,
};
const measure = (...scales: string[]) => ({ needs: [] as Descriptor["needs"], gauge: { cost: "pass", scales: scales.map(scale) } }) as Descriptor;

describe("a comparison", () => {
  it("curves run from small to large, and a failed run is a gap", () => {
    expect(seriesOf(result, "distance")).toEqual([
      { name: "b", look: 0, points: [{ x: 5, y: 0.2 }, { x: 10, y: 0.4 }] },
      { name: "a", look: 1, points: [{ x: 5, y: null }] },
    ]);
  });
  it("repeated runs have a band around their average", () => {
    const spread = { ...result, cells: [{ ...cell("b", "5", { distance: 0.2 }), spread: { distance: [0.1, 0.3] as [number, number] }, runs: 3 }] };
    expect(seriesOf(spread, "distance")[0]!.points).toEqual([{ x: 5, y: 0.2, low: 0.1, high: 0.3 }]);
  });
  it("begins with what tells the runs apart, then risk and time", () => {
    expect(firstPlots(result, [measure("intact"), measure("meaning", "distance")])).toEqual(["meaning", "risk", "seconds"]);
    const asked = { ...measure("distance"), needs: [{ input: "queries", required: false }] } as Descriptor;
    expect(firstPlots(result, [measure("meaning"), asked])).toEqual(["meaning", "distance", "risk", "seconds"]);
    expect(firstPlots(result, [])).toEqual(["intact", "distance", "meaning", "risk", "seconds"]);
  });
  it("a run that is to come is no gap, and keeps the method's colour", () => {
    const coming = { ...cell("c", "5", {}), state: "waiting" };
    expect(gaps({ ...result, cells: [coming, ...result.cells] })).toEqual(gaps(result));
    expect(seriesOf({ ...result, cells: [coming, ...result.cells] }, "distance")[1]).toMatchObject({ name: "b", look: 1 });
    expect(gaps({ ...result, cells: [...result.cells, { ...cell("a", "9", {}), state: "waiting" }] })[0]).toMatchObject({ method: "a", at: ["5"], none: false });
  });
  it("runs without a result are told with the values and the reason, one line a reason", () => {
    const more = { ...result, cells: [...result.cells, cell("a", "10", {}, "fewer than k people"), cell("b", "20", {}, "too slow")] };
    expect(gaps(more)).toEqual([
      { method: "a", at: ["5", "10"], none: true, broken: false, why: "fewer than k people" },
      { method: "b", at: ["20"], none: false, broken: false, why: "too slow" },
    ]);
  });
  it("a run that breaks its promise has numbers, and no place in a curve", () => {
    const broken = { ...cell("c", "5", { distance: 0.1 }), state: "broken", problem: "2 broken cases", spread: { distance: [0.1, 0.2] as [number, number] } };
    const more = { ...result, cells: [broken] };
    expect(gaps(more)).toEqual([{ method: "c", at: ["5"], none: true, broken: true, why: "2 broken cases" }]);
    expect(seriesOf(more, "distance")[0]!.points).toEqual([{ x: 5, y: null }]);
  });
});

it("only numbers that all methods share can vary", () => {
  const integer = (name: string, max: number): Param => ({ name, kind: { type: "integer", min: 1, max }, default: "1", help: "" });
  const word: Param = { name: "distance", kind: { type: "choice", words: ["a"] }, default: "a", help: "" };
  const method = (...params: Param[]) => ({ params }) as Descriptor;
  expect(variable([method(integer("k", 1e9), integer("m", 8), word), method(word, integer("k", 1e9))]).map((param) => param.name)).toEqual(["k"]);
  expect(variable([])).toEqual([]);
  expect(firstRange(integer("m", 8))).toEqual({ from: 1, to: 3, step: 1 });
  expect(firstRange(integer("k", 1e9))).toEqual({ from: 5, to: 25, step: 5 });
});
