import { describe, expect, it } from "vitest";
import { itemWords, membersOf, reasonWords } from "./reasons";

describe("why a step was taken", () => {
  it("a merge names the rare pattern, the crowd that is missing and what became one", () => {
    expect(reasonWords({ pattern: ["A7", "D5"], support: 1, needed: 5, did: "merge", items: ["A7", "A8"] }, "sequences")).toBe(
      "Only 1 person has A7, then D5; 5 are needed. So A7 and A8 became one.",
    );
    expect(reasonWords({ pattern: ["{A7|A8}", "D5"], support: 2, needed: 5, did: "merge", items: ["{A7|A8}", "B8"] }, "sequences")).toBe(
      "Only 2 people have A7 or A8, then D5; 5 are needed. So the group of A7, A8 and B8 became one.",
    );
  });
  it("sets have no order, and a suppressed item was taken away", () => {
    expect(reasonWords({ pattern: ["milk", "tea"], support: 0, needed: 3, did: "suppress", items: ["tea"] }, "sets")).toBe("No person has milk and tea; 3 are needed. So tea was taken away.");
  });
  it("a step that no crowd forced, and an unknown word, still read", () => {
    expect(reasonWords({ pattern: ["news"], support: 1435, needed: 1, did: "expand", items: [] }, "sequences")).toBe("1,435 people have news, so what follows it was counted too.");
    expect(reasonWords({ pattern: [], support: 0, needed: 0, did: "shuffle", items: [] }, null)).toBe("Shuffle.");
  });
  it("large groups are counted, not listed", () => {
    expect(itemWords("{a|b|c|d|e}")).toBe("one of 5 (a, b, c and 2 more)");
    expect(membersOf("{a|b}")).toEqual(["a", "b"]);
    expect(membersOf("{a")).toEqual(["{a"]);
  });
});
