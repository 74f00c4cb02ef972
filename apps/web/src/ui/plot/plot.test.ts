import { describe, expect, it } from "vitest";
import { csv } from "../src/lib/export/csv";
import { pathPoints, pdf } from "../src/lib/export/pdf";
import { columns, labelled, labelledApart, unequal } from "../src/lib/histogram";
import { bounds, features } from "../src/lib/plane";
import { extent, legend, nearest, tableOf, type Series } from "../src/lib/plot";
import type { MapView } from "../src/lib/types";

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

describe("exports", () => {
  it("a cell that looks like a formula stays text, a negative number stays a number", () => {
    expect(csv(["a", "b"], [["=HYPERLINK(1)", -3], ['say "hi", you', null]])).toBe(`a,b\n'=HYPERLINK(1),-3\n"say ""hi"", you",\n`);
  });
  it("a PDF's table of objects points at its objects", () => {
    const file = pdf(100, 50, [{ kind: "text", x: 1, y: 2, size: 12, bold: false, text: "50% (of k) – ≥", fill: [0, 0, 0] }]);
    const start = Number(/startxref\n(\d+)/.exec(file)![1]);
    expect(file.slice(start, start + 4)).toBe("xref");
    const offsets = [...file.slice(start).matchAll(/^(\d{10}) 00000 n/gm)].map((match) => Number(match[1]));
    offsets.forEach((at, i) => expect(file.slice(at, at + 7)).toBe(`${i + 1} 0 obj`));
    const length = Number(/Length (\d+)/.exec(file)![1]);
    expect(file.split("stream\n")[1]!.slice(0, length + 1).endsWith("\n")).toBe(true);
    expect([...file].every((letter) => letter.charCodeAt(0) < 128)).toBe(true);
    expect(file).toContain("(50% \\(of k\\) \\226 >=)");
  });
  it("a path's parts become lists of points", () => {
    expect(pathPoints("M0,1L2,3Z M5,5H6V7")).toEqual([
      { points: [[0, 1], [2, 3]], closed: true },
      { points: [[5, 5], [6, 5], [6, 7]], closed: false },
    ]);
  });
});

it("a plane is laid around the equator without bending it", () => {
  const view: MapView = {
    system: "plane",
    bounds: [0, 0, 1000, 500],
    features: { type: "FeatureCollection", features: [{ type: "Feature", properties: {}, geometry: { type: "Polygon", coordinates: [[[0, 0], [1000, 0], [1000, 500], [0, 0]]] } }] },
  };
  expect(bounds(view)).toEqual([-0.5, -0.25, 0.5, 0.25]);
  expect(features(view).features[0]!.geometry).toEqual({ type: "Polygon", coordinates: [[[-0.5, -0.25], [0.5, -0.25], [0.5, 0.25], [-0.5, -0.25]]] });
});
