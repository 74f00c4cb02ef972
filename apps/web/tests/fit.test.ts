import { expect, it } from "vitest";
import { fits } from "../src/lib/fit";
import type { Catalogue, Descriptor } from "../src/lib/types";

const catalogue = {
  inputs: [
    { name: "places", flag: "places", describe: "the coordinates of the items" },
    { name: "sensitive-items", flag: "sensitive", describe: "a list of sensitive items" },
  ],
} as Catalogue;
const method = (takes: Descriptor["takes"], needs: [string, boolean][]) => ({ takes, needs: needs.map(([input, required]) => ({ input, required })) }) as Descriptor;
const given = (input: string, problem: string | null = null) => ({ input, name: `${input}.csv`, rows: 1, problem });

it("a method whose inputs are there can run; optional ones may be missing", () => {
  expect(fits(method(["sequences"], [["places", true], ["sensitive-items", false]]), "sequences", [given("places")], catalogue).ok).toBe(true);
});
it("what is missing is named, under the flag that supplies it", () => {
  const fit = fits(method(["sequences"], [["sensitive-items", true]]), "sequences", [], catalogue);
  expect(fit).toMatchObject({ ok: false, why: "needs a list of sensitive items", missing: ["sensitive"], repair: false });
});
it("an input with a problem has to be repaired, not added", () => {
  expect(fits(method(["sequences"], [["places", true]]), "sequences", [given("places", "line 3")], catalogue)).toMatchObject({ ok: false, repair: true, missing: ["places"] });
});
it("timed events can be taken as a sequence, but not the other way round, and sets have no order", () => {
  expect(fits(method(["sequences"], []), "timed", [], catalogue).ok).toBe(true);
  expect(fits(method(["timed"], []), "sequences", [], catalogue).why).toBe("works on events with times; these are events in order");
  expect(fits(method(["sequences"], []), "sets", [], catalogue).ok).toBe(false);
  expect(fits(method(["sequences"], []), null, [], catalogue).ok).toBe(false);
});
