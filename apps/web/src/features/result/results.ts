// Questions that several parts of the result screen ask.

import type { AnonymizeResult, Descriptor, Scale, Suppression } from "../../ui/api/types";

export const lostNothing = (lost: Suppression): boolean => lost.events === 0 && lost.items === 0 && lost.emptied_records === 0;

/** The scales of a result's numbers. The catalogue knows their ends; a number it does not know keeps what came with it. */
export function scalesOf(result: AnonymizeResult, measures: Descriptor[]): Scale[] {
  const known = measures.flatMap((measure) => measure.gauge?.scales ?? []);
  return result.measures.map(
    ({ name, help, better }) => known.find((scale) => scale.name === name) ?? { name, help: help ?? "", min: null, max: null, better: (better ?? "neither") as Scale["better"] },
  );
}

export const valueOf = (result: AnonymizeResult, name: string): number | null => result.measures.find((measure) => measure.name === name)?.value ?? null;
