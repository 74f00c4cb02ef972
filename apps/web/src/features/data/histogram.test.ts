import { describe, expect, it } from "vitest";
import { columns, labelled, labelledApart, unequal } from "./histogram";

describe("histogram", () => {
  const histogram = { column: "k", total: 6, calendar: false, bars: [{ label: "1", count: 4 }, { label: "2 to 9", from: 2, to: 9, count: 2 }, { label: "more", count: 0 }] };
  it("the tallest bar fills the height and all stand on the floor", () => {
    const rects = columns(histogram, 300, 100);
    expect(rects.map((rect) => rect.height)).toEqual([100, 50, 0]);
    expect(rects.map((rect) => rect.y + rect.height)).toEqual([100, 100, 100]);
    expect(rects.at(-1)!.x + rects.at(-1)!.width).toBeLessThanOrEqual(300);
  });
  it("no bars and empty bars draw without division by zero", () => {
    expect(columns({ column: "k", total: 0, calendar: false, bars: [] }, 300, 100)).toEqual([]);
    expect(columns({ column: "k", total: 0, calendar: false, bars: [{ label: "a", count: 0 }] }, 300, 100)[0]!.height).toBe(0);
  });
  it("a wider range has a wider bar, and areas compare", () => {
    const lengths = { column: "length", total: 8, calendar: false, bars: [{ label: "1", from: 1, to: 2, count: 4 }, { label: "2 to 4", from: 2, to: 5, count: 4 }] };
    const [narrow, wide] = columns(lengths, 400, 90);
    expect(unequal(lengths)).toBe(true);
    expect([narrow!.width, wide!.width]).toEqual([99, 299]);
    expect([narrow!.height, wide!.height]).toEqual([90, 30]);
    expect(labelledApart([narrow!, wide!], 80)).toEqual([0, 1]);
    expect(labelledApart([narrow!, wide!], 300)).toEqual([0]);
  });
  it("labels are thinned out until they fit", () => {
    expect(labelled(10, 500, 50)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(labelled(10, 100, 50)).toEqual([0, 5]);
    expect(labelled(0, 100, 50)).toEqual([]);
  });
});
