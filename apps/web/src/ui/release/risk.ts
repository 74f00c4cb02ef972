// From a report about attackers to curves and a sentence.

import type { RiskCurve } from "../api/types";
import type { Series } from "../plot/plot";
import { count, people, percent, plural } from "../words/format";

/** Two curves of one report: people singled out, and people hidden among fewer than k. */
export function curves(curve: RiskCurve): Series[] {
  const points = (pick: "singled_out" | "below") =>
    curve.points.map((point) => ({ x: point.known, y: point[pick].share, low: point[pick].low ?? null, high: point[pick].high ?? null }));
  return [
    { name: "exactly one person fits", look: 1, points: points("singled_out") },
    { name: `fewer than ${curve.below} people fit`, look: 0, points: points("below") },
  ];
}

/** The same number before and after. */
export function beforeAfter(before: RiskCurve, after: RiskCurve, pick: "singled_out" | "below"): Series[] {
  const points = (curve: RiskCurve) => curve.points.map((point) => ({ x: point.known, y: point[pick].share, low: point[pick].low ?? null, high: point[pick].high ?? null }));
  return [
    { name: "before", look: 1, points: points(before) },
    { name: "after", look: 0, points: points(after) },
  ];
}

/** `in 22% of cases`; what never happened is said without a number. */
const often = (share: number): string => (share === 0 ? "in no case" : `in ${percent(share)} of cases`);

/** What the curve means, for a reader who does not read curves. */
export function sentence(curve: RiskCurve, timed = false, [one, many]: [string, string] = ["event", "events"]): string {
  const worst = curve.points.at(-1);
  if (!worst) return "Nothing could be computed.";
  const first = curve.points[0];
  const known = `${plural(worst.known, one, many)} ${one === "event" ? "of a person's life" : "of a person"}${timed ? " and when they happened" : ""}`;
  const lead = `An attacker who knows ${known} finds exactly that person ${often(worst.singled_out.share)}`;
  const enough = first?.singled_out.share ? `one known ${one} is enough for ${percent(first.singled_out.share)}` : `one known ${one} is enough for none`;
  const small = first && first !== worst ? `; ${enough}` : "";
  const basis = curve.sampled ? ` Estimated from ${count(curve.targets)} of ${people(curve.people)}.` : "";
  return `${lead}${small}.${basis}`;
}
