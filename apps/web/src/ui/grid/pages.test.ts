import { expect, test } from "vitest";
import { pagesAround } from "./pages";

test("the first, the last and the neighbours are always offered", () => {
  expect(pagesAround(1, 1)).toEqual([1]);
  expect(pagesAround(1, 4)).toEqual([1, 2, 3, 4]);
  expect(pagesAround(5, 9)).toEqual([1, null, 4, 5, 6, null, 9]);
  expect(pagesAround(3, 5)).toEqual([1, 2, 3, 4, 5]);
  expect(pagesAround(100, 100)).toEqual([1, null, 99, 100]);
});
