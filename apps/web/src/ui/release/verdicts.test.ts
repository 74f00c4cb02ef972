import { describe, expect, it } from "vitest";
import type { Manifest } from "../api/types";
import { promiseVerdict, usefulnessVerdict } from "./verdicts";

const manifest = (more: Partial<Manifest> = {}): Manifest => ({ method: "seqanon", nature: "truthful", table: [], usefulness: null, columns_verdict: null, ...more });
const verdict = { holds: true, statement: "At least 5.", checked: 3 };
const columns = { covered: false, crowd: 5, people_below: 9, unique: 4, accepted: true, statement: "9 people are in groups below 5." };

describe("two verdicts", () => {
  it("columns that were accepted are never a plain success", () => {
    const text = promiseVerdict({ manifest: manifest({ columns_verdict: columns }), verdict });
    expect(text.title).toBe("The events keep the promise; the published columns do not");
    expect(text.tone).toBe("bad");
    expect(text.about).toContain("9 people are in groups of fewer than 5 by the published columns, 4 of them alone.");
  });
  it("columns that the promise covers leave it as it is", () => {
    expect(promiseVerdict({ manifest: manifest({ columns_verdict: { ...columns, covered: true, accepted: false } }), verdict }).title).toBe("The promise holds");
  });
  it("a promise that a reader of the files cannot verify whole is told with both answers", () => {
    const words = ["A reader of the published files can verify it in part.", "Not judged from the files: people."];
    const text = promiseVerdict({ manifest: manifest(), verdict, reader: { answer: "judged-in-part", words } });
    expect(text).toMatchObject({ tone: "warn", title: "The promise holds; a reader can verify it in part", about: ["At least 5.", ...words] });
    expect(text.small).toMatch(/^Judged with your data by a program/);
    expect(promiseVerdict({ manifest: manifest(), verdict, reader: { answer: "holds", words: ["A reader can verify it."] } })).toMatchObject({ tone: "good", title: "The promise holds" });
    expect(promiseVerdict({ manifest: manifest(), verdict, reader: { answer: "does-not-hold", words } }).tone).toBe("bad");
  });
  it("a release of little use does not look like success", () => {
    expect(usefulnessVerdict(manifest({ usefulness: { grade: "poor", reasons: ["No event is left."] } }))).toMatchObject({ tone: "bad", about: ["As published, rounded so that no single person shows: No event is left."] });
    expect(usefulnessVerdict(manifest())).toMatchObject({ tone: "warn", title: "Not graded" });
  });
  it("what is left and what would help stands beside the grade", () => {
    const advice = [{ change: "ask for m = 1", effect: "good instead of poor", grade: "good" as const, people: 500 }];
    const survived = [{ what: "events", share: 0.834, about: "of the events are there" }, { what: "items", share: 0.004, about: "of the items are there" }];
    const text = usefulnessVerdict(manifest({ usefulness: { grade: "limited", reasons: ["some are lost"] } }), { survived, advice });
    expect(text.about).toEqual(["As published, rounded so that no single person shows: some are lost.", "What would help: ask for m = 1 (good instead of poor)."]);
    expect(text.small).toBe("Exactly, and for you alone: 83.4% of the events are there, 0.4% of the items are there.");
  });
});
