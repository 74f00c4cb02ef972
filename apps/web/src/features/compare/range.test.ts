import { describe, expect, it } from "vitest";
import { steps } from "./range";

describe("steps from start to end", () => {
  it("decimals stay clean and the end is included", () => {
    expect(steps(0.1, 0.5, 0.1)).toEqual([0.1, 0.2, 0.3, 0.4, 0.5]);
    expect(steps(5, 24, 5)).toEqual([5, 10, 15, 20]);
  });
  it("a range that goes nowhere is empty, not endless", () => {
    expect(steps(1, 5, 0)).toEqual([]);
    expect(steps(5, 1, 1)).toEqual([]);
    expect(steps(1, Number.POSITIVE_INFINITY, 1)).toEqual([]);
    expect(steps(0, 1e9, 1e-3).length).toBe(1000);
  });
});
