// The two verdicts on a release in words: the promise, and what the release is still good for.

import type { AnonymizeResult, Manifest } from "./types";
import { capital, count, plural } from "./format";

export interface VerdictText {
  label: string;
  tone: "good" | "warn" | "bad";
  title: string;
  about: string[];
  small: string;
}

/** Never plainly good where columns were published that the promise does not cover. */
export function promiseVerdict({ manifest, verdict }: Pick<AnonymizeResult, "manifest" | "verdict">): VerdictText {
  const columns = manifest.columns_verdict;
  const synthetic = manifest.nature === "synthetic" && manifest.form !== "counts" ? " The records are synthetic: none belongs to a person." : "";
  const label = "The promise";
  if (!verdict.holds) {
    return { label, tone: "warn", title: "Not verified", about: [verdict.statement], small: `This promise cannot be checked from the output; it holds by the way the release was made.${synthetic}` };
  }
  const looked = verdict.checked > 0 ? `${plural(verdict.checked, "case")} looked at, none broken` : "nothing is broken";
  const small = `Checked by a program that shares no code with ${manifest.method}: ${looked}.${synthetic}`;
  if (columns && (columns.accepted || !columns.covered)) {
    return { label, tone: "bad", title: "The events keep the promise; the published columns do not", about: [verdict.statement, `${plural(columns.people_below, "person is", "people are")} in groups of fewer than ${count(columns.crowd)} by the published columns, ${count(columns.unique)} of them alone.`], small };
  }
  return { label, tone: "good", title: "The promise holds", about: columns ? [verdict.statement, columns.statement] : [verdict.statement], small };
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
  const sentence = (text: string) => `${capital(text).replace(/\.$/, "")}.`;
  const help = advice.map(({ change, effect }) => `What would help: ${change} (${effect}).`);
  const left = survived.map(({ share, about }) => `${Math.round(share * 100)}% ${about}`);
  return { label, ...GRADES[usefulness.grade], about: [...usefulness.reasons.map(sentence), ...help], small: left.length ? `${left.join(", ")}.` : "" };
}
