// What each kind of data is made of, in words.

import type { DataKind, Schemas } from "./types";

export type DataForm = Schemas["DataForm"];

/** What a row of the file can be. */
export const FORMS: { form: DataForm; label: string; about: string }[] = [
  { form: "sequences", label: "Events in order", about: "trips, visits, clicks: a row an event, or a row with all events of a record" },
  { form: "sets", label: "Sets", about: "baskets, diagnoses, codes: the same, and order means nothing" },
  { form: "table", label: "A table of people", about: "a row a person: age, postcode, diagnosis" },
];

/** What an attacker may know of somebody: one, many. */
export function clue(kind: DataKind | null | undefined): [string, string] {
  if (kind === "table") return ["attribute", "attributes"];
  if (kind === "sets") return ["item", "items"];
  return ["event", "events"];
}
