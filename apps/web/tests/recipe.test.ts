import { describe, expect, it } from "vitest";
import { compareText, flags, quoted, recipeSoFar, roleFlags, steps } from "../src/lib/recipe";
import type { Column, Descriptor, Role } from "../src/lib/types";

const column = (name: string, role: Role | null, guessed: Role = "none"): Column => ({ name, role, guessed_role: guessed, kind: "text", distinct: 1, missing: 0, example_shapes: [] });

describe("commands", () => {
  it("words that a shell would take apart are quoted", () => {
    expect(quoted("city/events.csv")).toBe("city/events.csv");
    expect(quoted("Ann's trips.csv")).toBe(`'Ann'\\''s trips.csv'`);
    expect(quoted("$(rm -rf ~)")).toBe("'$(rm -rf ~)'");
  });
  it("one small letter is a short flag, a capital a long one, a switch stands alone", () => {
    const method = { params: [{ name: "no-apriori", kind: { type: "switch" } }] } as unknown as Descriptor;
    expect(flags(method, { k: "5", L: "3", "max-suppressed": "10%", "no-apriori": "true" })).toEqual(["-k", "5", "--L", "3", "--max-suppressed", "10%", "--no-apriori"]);
    expect(flags(method, { "no-apriori": "false" })).toEqual([]);
  });
  it("a role that the column's name already says needs no flag", () => {
    const columns = [column("subject", "subject"), column("where", "item"), column("age", "quasi-identifying"), column("memo", "none")];
    expect(roleFlags(columns)).toEqual(["--item", "where", "--role", "age=quasi-identifying"]);
  });
  it("an unconfirmed column speaks with its guess", () => {
    expect(roleFlags([column("who", null, "subject")])).toEqual(["--subject", "who"]);
  });
});

describe("recipes", () => {
  it("what was clicked before a method is chosen: files and roles, under the keys the program reads", () => {
    const columns = [column("who", "subject"), column("home town", "sensitive"), column("memo", "none")];
    const inputs = [{ input: "places", name: "places.csv", rows: 3 }];
    expect(recipeSoFar("trips.csv", columns, inputs)).toBe(
      'schema = "throng-recipe/1"\n\n[data]\nevents = "trips.csv"\nsubject = "who"\nplaces = "places.csv"\n\n' +
        '# [method] is written by the step Promise and method.\n\n[publish]\nroles = { "home town" = "sensitive" }\n',
    );
  });
  it("a sweep lists its values and leaves the varying parameter out of the methods", () => {
    const { recipe } = compareText({ kind: "compare", methods: [{ name: "seqanon", settings: { k: "5", m: "2" } }], vary: { param: "k", from: 5, to: 15, step: 5 } }, "[data]\n");
    expect(recipe).toBe('schema = "throng-compare/1"\n\n[data]\n\n[vary]\nk = [5, 10, 15]\n\n[[methods]]\nname = "seqanon"\nm = 2\n');
  });
});

describe("steps from start to end", () => {
  it("decimals stay clean and the end is included", () => {
    expect(steps(0.1, 0.5, 0.1)).toEqual([0.1, 0.2, 0.3, 0.4, 0.5]);
    expect(steps(5, 24, 5)).toEqual([5, 10, 15, 20]);
  });
  it("a range that goes nowhere is empty, not endless", () => {
    expect(steps(1, 5, 0)).toEqual([]);
    expect(steps(5, 1, 1)).toEqual([]);
    expect(steps(1, Number.POSITIVE_INFINITY, 1)).toEqual([]);
    expect(steps(0, 1e9, 1e-3).length).toBe(1000);
  });
});
