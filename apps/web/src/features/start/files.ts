// What files that are brought in together may be, by their names. The user has the last word.

import type { InputKind } from "../../ui/api/types";

const GUESSES: [RegExp, string][] = [
  [/(person|people|own|patient).*pattern/, "person-patterns"],
  [/place|coord|location|poi|venue|gps-points/, "places"],
  [/record|attribute|people|person|patient-data|demograph/, "records"],
  [/taxonom|categor/, "taxonomy"],
  [/sensitive/, "sensitive"],
  [/polic/, "policy"],
  [/constraint/, "constraints"],
  [/quer|workload/, "queries"],
  [/alphabet/, "alphabet"],
  [/pattern/, "patterns"],
  [/cost/, "costs"],
];

/** For each file `data`, or the flag of an input. Exactly one is the data: the first that is nothing else, or the largest. */
export function guessed(files: { name: string; size: number }[], inputs: Pick<InputKind, "flag">[]): string[] {
  const flags = new Set(inputs.map((input) => input.flag));
  const taken = new Set<string>();
  const roles = files.map(({ name }) => {
    const flag = GUESSES.find(([pattern, word]) => flags.has(word) && pattern.test(name.toLowerCase()))?.[1];
    if (!flag || taken.has(flag)) return "";
    taken.add(flag);
    return flag;
  });
  const largest = files.reduce((best, file, i) => (file.size > (files[best]?.size ?? -1) ? i : best), 0);
  const data = roles.includes("") ? roles.indexOf("") : largest;
  return roles.map((role, i) => (i === data ? "data" : role));
}

/** Whether a file is a project that was saved as one. */
export const isBundle = (name: string): boolean => name.toLowerCase().endsWith(".throng.zip");
