import { describe, expect, it } from "vitest";
import { extent, legend, nearest, tableOf, type Series } from "./plot";

describe("curves", () => {
  const series: Series[] = [
    { name: "a", look: 0, points: [{ x: 1, y: 0.2 }, { x: 3, y: null }] },
    { name: "b", look: 1, points: [{ x: 2, y: 0.5, low: 0.4, high: 0.7 }] },
  ];
  it("the table behind a plot has a row for each x and gaps where there is no value", () => {
    expect(tableOf(series, "k")).toEqual({ columns: ["k", "a", "b"], rows: [[1, 0.2, null], [2, null, 0.5], [3, null, null]] });
  });
  it("the axis covers intervals, and a flat curve still has an axis", () => {
    expect(extent(series)).toEqual([0, 0.7]);
    expect(extent([{ name: "flat", look: 0, points: [{ x: 1, y: 0 }] }])).toEqual([0, 1]);
    expect(extent([])[1]).toBeGreaterThan(extent([])[0]);
  });
  it("names of curves go to a new line where the width ends", () => {
    const names = legend([{ name: "seqanon", look: 0 }, { name: "u-seqanon", look: 1 }, { name: "sd-seqanon", look: 2 }], 240);
    expect(names.entries.map((entry) => entry.y)).toEqual([9, 9, 27]);
    expect(names.entries[2]!.x).toBe(names.entries[0]!.x);
    expect(names.height).toBe(36);
  });
  it("the nearest x is found", () => {
    expect(nearest([1, 2, 4], 2.9)).toBe(2);
    expect(nearest([], 1)).toBeNull();
  });
});
