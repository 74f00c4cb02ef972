// The two verdicts on a release in words: the promise, and what the release is still good for.

import type { AnonymizeResult, Manifest } from "../api/types";
import { count, percent, plural } from "../words/format";

export interface VerdictText {
  label: string;
  tone: "good" | "warn" | "bad";
  title: string;
  about: string[];
  small: string;
}

/** Never plainly good where columns were published that the promise does not cover, or where a reader of the files cannot verify it. */
export function promiseVerdict({ manifest, verdict, reader }: Pick<AnonymizeResult, "manifest" | "verdict"> & Partial<Pick<AnonymizeResult, "reader">>): VerdictText {
  const columns = manifest.columns_verdict;
  const synthetic = manifest.nature === "synthetic" && manifest.form !== "counts" ? " The records are synthetic: none belongs to a person." : "";
  const label = "The promise";
  const readers = reader?.words ?? [];
  if (!verdict.holds) {
    return { label, tone: "warn", title: "Not verified", about: [verdict.statement, ...readers], small: `This promise cannot be checked from the output; it holds by the way the release was made.${synthetic}` };
  }
  const looked = verdict.checked > 0 ? `${plural(verdict.checked, "case")} looked at, none broken` : "nothing is broken";
  const small = `Judged with your data by a program that shares no code with ${manifest.method}: ${looked}.${synthetic}`;
  if (columns && (columns.accepted || !columns.covered)) {
    return { label, tone: "bad", title: "The events keep the promise; the published columns do not", about: [verdict.statement, `${plural(columns.people_below, "person is", "people are")} in groups of fewer than ${count(columns.crowd)} by the published columns, ${count(columns.unique)} of them alone.`, ...readers], small };
  }
  const about = [verdict.statement, ...(columns ? [columns.statement] : []), ...readers];
  switch (reader?.answer) {
    case "judged-in-part":
      return { label, tone: "warn", title: "The promise holds; a reader can verify it in part", about, small };
    case "does-not-hold":
      return { label, tone: "bad", title: "The promise holds with your data; a reader is told that it does not", about, small };
    case "not-judged":
      return { label, tone: "warn", title: "The promise holds; a reader cannot verify it", about, small };
    default:
      return { label, tone: "good", title: "The promise holds", about, small };
  }
}

const GRADES = {
  good: { tone: "good", title: "Useful" },
  limited: { tone: "warn", title: "Of limited use" },
  poor: { tone: "bad", title: "Of little use" },
} as const;

type Left = Partial<Pick<AnonymizeResult, "survived" | "advice">>;

/** The grade and its reasons; beside it what is left of the data, and what would help, where that is known. */
export function usefulnessVerdict({ usefulness }: Manifest, { survived = [], advice = [] }: Left = {}): VerdictText {
  const label = "Usefulness";
  if (!usefulness) return { label, tone: "warn", title: "Not graded", about: ["This release was made by a version that did not grade usefulness. Run it again to know."], small: "" };
  const help = advice.map(({ change, effect }) => `What would help: ${change} (${effect}).`);
  const left = survived.map(({ share, about }) => `${percent(share)} ${about}`);
  // The published numbers are rounded and the others are exact: the text says so, or they would seem to contradict each other.
  const published = usefulness.reasons.length > 0 ? [`As published, rounded so that no single person shows: ${usefulness.reasons.map((reason) => reason.replace(/\.$/, "")).join("; ")}.`] : [];
  return { label, ...GRADES[usefulness.grade], about: [...published, ...help], small: left.length ? `Exactly, and for you alone: ${left.join(", ")}.` : "" };
}
