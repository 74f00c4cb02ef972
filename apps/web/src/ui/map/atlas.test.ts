import type { Feature } from "geojson";
import { describe, expect, it } from "vitest";
import type { MapView } from "../api/types";
import { counterparts, dressed, nameOf } from "./atlas";

const point = (item: string, x: number): Feature => ({ type: "Feature", geometry: { type: "Point", coordinates: [x, 0] }, properties: { item, members: 1, people: 1 } });
const group = (item: string, members: number, more = {}): Feature => ({ type: "Feature", geometry: { type: "LineString", coordinates: [[0, 0], [1, 0]] }, properties: { item, members, people: 2, ...more } });
const view = (...features: Feature[]): MapView => ({ system: "plane", bounds: [0, 0, 1, 1], features: { type: "FeatureCollection", features } });
const marks = (map: MapView) => map.features.features.filter((feature) => feature.properties?.member).length;

describe("places that became one", () => {
  const before = view(point("a", 0), point("b", 1), point("c", 2));
  it("every member is marked, or none of them", () => {
    expect(marks(dressed(view(group("{a|b}", 2), point("c", 2)), before))).toBe(2);
    expect(marks(dressed(view(group("{a|b|c|lon", 40)), before))).toBe(0);
    expect(marks(dressed(view(group("{a|b|c|lon", 3, { places: [[0, 0], [1, 0], [2, 0]] })), null))).toBe(3);
  });
  it("neighbours look different, and a single place keeps its own look", () => {
    const looks = dressed(view(group("{a|b}", 2), group("{c|d}", 2), point("e", 1)), null).features.features.map((feature) => feature.properties?.look as number);
    expect(looks).toEqual([0, 1, 0]);
  });
  it("a name that was cut is told by its size", () => {
    expect(nameOf(group("{a|b|c|d|lon", 40))).toBe("one of 40 (a, b, c and 37 more)");
    expect(nameOf(group("{a|b}", 2))).toBe("a or b");
    expect(nameOf(group("~17", 40))).toBe("~17 (one of 40)");
    expect(nameOf(group("3 places (2)", 3))).toBe("3 places (2)");
  });
  it("a picked place is found on the other map, both ways", () => {
    const after = view(group("{a|b}", 2), point("c", 2));
    expect(counterparts("{a|b}", after, before)).toEqual(["a", "b"]);
    expect(counterparts("b", before, after)).toEqual(["{a|b}"]);
    const short = view(group("~17", 2, { places: [[0, 0], [1, 0]] }), point("c", 2));
    expect(counterparts("~17", short, before)).toEqual(["a", "b"]);
    expect(counterparts("b", before, short)).toEqual(["~17"]);
    expect(counterparts(null, before, after)).toEqual([]);
  });
});
