import { expect, test } from "vitest";
import type { Catalogue } from "../api/types";
import { spokenControls } from "./controls";

const all = { inputs: [{ flag: "taxonomy", name: "taxonomy", describe: "" }], methods: [{ params: [{ name: "k", help: "people who must look alike" }] }] } as unknown as Catalogue;

test("messages name what is on the screen", () => {
  expect(spokenControls("give one with `--taxonomy FILE`", all)).toBe("give one with “Taxonomy” (step Meaning)");
  expect(spokenControls("name the column with `--subject NAME`", all)).toBe("name the column with the role “person” (step Data)");
  expect(spokenControls("lower `-k`", all)).toBe("lower “people who must look alike”");
  expect(spokenControls("use --time-format FORMAT", all)).toBe("use “Times are written” (step Data)");
});

test("what the page cannot do stays as it is typed", () => {
  expect(spokenControls("see `--linkage FILE` and `k`", all)).toBe("see `--linkage FILE` and `k`");
});
