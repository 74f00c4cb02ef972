// Numbers in the words of their descriptors: a title, what they belong to, which way is better. No second list of names.

import { units } from "../../project/units.svelte";
import type { Descriptor, Scale } from "../api/types";
import { capital, inWords, measured, percent } from "./format";
import { distance } from "./measuring";

export interface ScaleGroup {
  title: string;
  scales: Scale[];
}

export const isRisk = (name: string): boolean => /^(risk|singled_out|reidentified)/.test(name);

const homeOf = (name: string, measures: Descriptor[]): Descriptor | undefined => measures.find((measure) => measure.gauge?.scales.some((scale) => scale.name === name));

/** What a number says, as a title: its descriptor's own words. */
export const titleOf = ({ name, help }: Pick<Scale, "name" | "help">): string => capital(help || inWords(name));

/** Shares are read as percentages; seconds and distances say their unit. */
export function textOf(scale: Pick<Scale, "name" | "min" | "max"> & { help?: string }): (value: number | null | undefined) => string {
  if (scale.name === "seconds") return (value) => (typeof value !== "number" ? "–" : value > 0 && value < 1 ? `${measured(Number((value * 1000).toPrecision(3)))} ms` : `${measured(value)} s`);
  // Where places are degrees, such a scale counts metres; on a plane the unit is the user's own.
  if (scale.help?.includes("metres") && units.system === "degrees") return (value) => (typeof value === "number" ? distance(value) : "–");
  // An error that is relative to what it should be is read as a share of it, and may be above all of it.
  if (/\brelative (error|difference)\b/.test(scale.help ?? "")) return percent;
  return scale.min === 0 && scale.max === 1 ? percent : measured;
}

export function way(better: string | undefined): string {
  return better === "low" ? "↓ lower is better" : better === "high" ? "↑ higher is better" : "";
}

/** Scales by the measure they belong to, in the catalogue's order; then what attackers find, then the time. A number that another one repeats is left out. */
export function groupsOf(scales: Scale[], measures: Descriptor[]): ScaleGroup[] {
  const once = scales.filter((scale, i) => !scale.help || scales.findIndex((other) => other.help === scale.help) === i || homeOf(scale.name, measures));
  const groups: ScaleGroup[] = measures.map((measure) => ({
    title: capital(measure.purpose),
    scales: (measure.gauge?.scales ?? []).flatMap((known) => once.filter((scale) => scale.name === known.name)),
  }));
  const rest = once.filter((scale) => !homeOf(scale.name, measures));
  groups.push({ title: "What attackers still find", scales: rest.filter((scale) => isRisk(scale.name)) });
  groups.push({ title: "What it takes", scales: rest.filter((scale) => !isRisk(scale.name)) });
  return groups.filter((group) => group.scales.length > 0);
}
