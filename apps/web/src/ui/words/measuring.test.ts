import { expect, test } from "vitest";
import { distance, metres, nextSide, round } from "./measuring";

test("a degree of latitude has about 111 kilometres", () => {
  expect(metres([13, 52], [13, 53])).toBeCloseTo(111_195, -2);
  expect(metres([13, 52], [13, 52])).toBe(0);
});

test("a scale bar shows a round length that fits", () => {
  expect([0.7, 1, 4.9, 5, 99, 2600].map(round)).toEqual([0.5, 1, 2, 5, 50, 2000]);
  expect(round(0)).toBe(0);
});

test("distances are metres below a kilometre", () => {
  expect([350, 1200, 999.6].map(distance)).toEqual(["350 m", "1.2 km", "1000 m"]);
});

test("the next side of a cell is a usual one, in the unit at hand", () => {
  expect(["500m", "700m", "1km", "2", "0.05"].map((side) => nextSide(side, 1))).toEqual(["1km", "1km", "2km", "5", "0.1"]);
  expect(["500m", "700m", "1km", "2", "0.1"].map((side) => nextSide(side, -1))).toEqual(["200m", "500m", "500m", "1", "0.05"]);
  expect(["", "wide", "0m"].map((side) => nextSide(side, 1))).toEqual(["", "", ""]);
});
