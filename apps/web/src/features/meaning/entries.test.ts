import { expect, test } from "vitest";
import { entryText } from "./entries";

test("an entry reads as a sentence would", () => {
  expect(entryText({ items: ["a", "b"], conditions: [] }, true)).toBe("a > b");
  expect(entryText({ items: ["a", "b"], conditions: [] }, false)).toBe("a, b");
  const conditions = [
    { column: "age", values: [], between: ["20", "29"] as [string, string] },
    { column: "sex", values: ["f"], between: null },
    { column: "town", values: ["x", ""], between: null },
  ];
  expect(entryText({ items: [], conditions }, false)).toBe("age from 20 to 29; sex is f; town is one of x, (empty)");
});
