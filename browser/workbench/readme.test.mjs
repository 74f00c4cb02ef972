// The README shows pictures of screens that exist, and that `make screenshots` makes anew.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";
import { pictureName, SCREENS } from "./screens.mjs";

it("every screenshot in the README is one of a screen of the workbench", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const named = [...readme.matchAll(/docs\/screenshots\/([^)\s"]+)/g)].map((match) => match[1]);
  const made = SCREENS.flatMap((screen) => [pictureName(screen, false), pictureName(screen, true)]);
  assert.ok(named.length > 0, "the README shows the workbench");
  assert.deepEqual(named.filter((name) => !made.includes(name)), []);
});
