import { expect, test } from "vitest";
import { distance, metres, round } from "../src/lib/measuring";

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
