import { describe, expect, it } from "vitest";
import { address, parse } from "./address";
import { AREAS } from "./areas";
import { ENTRANCE, FEATURES, featureOf, HOME } from "./registry";

const folders = Object.keys(import.meta.glob("../features/*/Screen.svelte")).map((path) => path.split("/")[2]);

describe("the features", () => {
  it("every folder with a screen registers itself, under its own name", () => {
    expect(FEATURES.map((feature) => feature.id).toSorted()).toEqual(folders.toSorted());
  });
  it("the rail follows the areas, then the order within them", () => {
    const places = FEATURES.map((feature) => [AREAS.findIndex((area) => area.id === feature.area), feature.order]);
    expect(places).toEqual(places.toSorted(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d));
    expect(new Set(places.map(String)).size).toBe(FEATURES.length);
  });
  it("each says what it is for, in a sentence", () => {
    for (const { title, lead, icon } of FEATURES) {
      expect(title).toMatch(/^[A-Z]/);
      expect(lead).toMatch(/^[A-Z].*[.?]$/);
      expect(icon).toMatch(/^M/);
    }
  });
  it("no feature is called as the part of addresses that names a project", () => {
    expect(featureOf("p")).toBeUndefined();
  });
});

describe("addresses", () => {
  it("an address leads back to the screen that it was made for", () => {
    for (const feature of FEATURES) {
      const project = feature.scope === "project" ? "a/b %" : null;
      expect(parse(address(project, feature.id))).toEqual({ project, step: feature.id, detail: null });
    }
    expect(parse(address("p1", ENTRANCE.id, "hierarchy:age/sex"))).toEqual({ project: "p1", step: ENTRANCE.id, detail: "hierarchy:age/sex" });
  });
  it("an address that names no screen opens the first one, of the project if it names one", () => {
    for (const hash of ["", "#", "#/", "#/p", "#/p/", "#/no-screen"]) expect(parse(hash)).toEqual({ project: null, step: HOME.id, detail: null });
    expect(parse("#/p/p1/no-screen")).toEqual({ project: "p1", step: ENTRANCE.id, detail: null });
    expect(parse(`#/p/p1/${HOME.id}`)).toEqual({ project: "p1", step: ENTRANCE.id, detail: null });
  });
  it("a lone percent sign is part of a name", () => {
    expect(parse(`#/p/50%/${ENTRANCE.id}`).project).toBe("50%");
  });
  it("without a project, a screen about one is not linked", () => {
    expect(address(null, ENTRANCE.id)).toBe("#/");
  });
});
