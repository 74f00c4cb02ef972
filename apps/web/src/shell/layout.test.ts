// The rules of the folders: a screen is added and removed as one folder, because no other folder knows of it.

import { describe, expect, it } from "vitest";
import { acrossFeatures, importsOf, ownerOf, usedOnce } from "./layout";
import { featureOf } from "./registry";

const raw = import.meta.glob<string>(["../**/*.ts", "../**/*.svelte", "!../**/*.test.ts", "!../lib/**"], { query: "?raw", import: "default", eager: true });
const sources = new Map(Object.entries(raw).map(([path, text]) => [path.startsWith("../") ? path.slice(3) : `shell/${path.slice(2)}`, text]));
const imports = importsOf(sources);

describe("the folders of the app", () => {
  it("the imports were found", () => {
    expect(imports.get("features/data/Screen.svelte")).toContain("shell/ScreenFrame.svelte");
    expect([...imports.values()].flat().length).toBeGreaterThan(sources.size);
  });
  it("no feature is imported: not by another feature, nor by what features share", () => {
    expect(acrossFeatures(imports)).toEqual([]);
  });
  it("what one feature alone uses lies in its folder", () => {
    expect(usedOnce(imports)).toEqual([]);
  });
  it("of the shell, other folders use the state and the frame of a screen", () => {
    const parts = [...imports].flatMap(([from, all]) => all.filter((to) => ownerOf(from) !== "shell" && ownerOf(to) === "shell" && to.endsWith(".svelte")));
    expect([...new Set(parts)].filter((path) => path !== "shell/ScreenFrame.svelte" && path !== "shell/App.svelte")).toEqual([]);
  });
  it("an index.ts loads nothing before its screen is opened", () => {
    const eager = [...sources].filter(([path, text]) => /^features\/[^/]+\/index\.ts$/.test(path) && /^import (?!type )/m.test(text));
    expect(eager.map(([path]) => path)).toEqual([]);
  });
  it("links name features that are registered", () => {
    const named = [...sources].flatMap(([path, text]) => [...text.matchAll(/\b(?:address|router\.go)\([^,)]+, "([^"]+)"/g)].map((match) => [path, match[1] ?? ""] as const));
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter(([, id]) => !featureOf(id))).toEqual([]);
  });
});

describe("the check itself", () => {
  const graph = (files: Record<string, string>) => importsOf(new Map(Object.entries(files)));
  it("notices an import across features, also one for a type alone or one that is loaded later", () => {
    const found = acrossFeatures(
      graph({
        "features/a/Screen.svelte": 'import type { B } from "../b/b";\nimport("../b/later");\nimport "./own";',
        "features/a/own.ts": "",
        "features/b/b.ts": "",
        "features/b/later.ts": "",
        "ui/shared.ts": 'export { b } from "../features/b/b";',
      }),
    );
    expect(found).toEqual([
      "features/a/Screen.svelte imports features/b/b.ts",
      "features/a/Screen.svelte imports features/b/later.ts",
      "ui/shared.ts imports features/b/b.ts",
    ]);
  });
  it("notices what one feature alone uses, however far away", () => {
    const found = usedOnce(
      graph({
        "features/a/Screen.svelte": 'import "../../ui/near";\nimport "../../ui/both";',
        "features/b/Screen.svelte": 'import "../../ui/both";',
        "ui/near.ts": 'import "./far";',
        "ui/far.ts": "",
        "ui/both.ts": "",
        "ui/unused.ts": "",
      }),
    );
    expect(found).toEqual(["ui/near.ts is used by features/a alone", "ui/far.ts is used by features/a alone", "ui/unused.ts is used by no feature"]);
  });
});
