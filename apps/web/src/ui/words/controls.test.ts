import { expect, test } from "vitest";
import type { Catalogue } from "../api/types";
import { changes, worded } from "./controls";

const all = { inputs: [{ flag: "taxonomy", name: "taxonomy", describe: "" }], methods: [{ params: [{ name: "k", help: "people who must look alike" }] }] } as unknown as Catalogue;

test("settings are named as they are on the screen", () => {
  expect(worded(["give one with ", { setting: "taxonomy", value: "FILE" }], all)).toBe("give one with “Taxonomy” (step Meaning)");
  expect(worded(["name the column with ", { setting: "subject", value: "NAME" }], all)).toBe("name the column with the role “person” (step Data)");
  expect(worded(["lower ", { setting: "k", value: "5" }], all)).toBe("lower “people who must look alike”: `5`");
  expect(worded(["use ", { setting: "time-format" }], all)).toBe("use “Times are written” (step Data)");
});

test("what the page cannot do stays as it is typed", () => {
  expect(worded(["see ", { setting: "linkage", value: "FILE" }, " and `k`, or ", { command: "methods" }], all)).toBe("see `linkage FILE` and `k`, or `throng methods`");
});

test("a way out says which settings it would change", () => {
  expect(changes([{ setting: "accept-loss" }], "accept-loss")).toBe(true);
  expect(changes(["accept-loss"], "accept-loss")).toBe(false);
  expect(changes(null, "k")).toBe(false);
});
