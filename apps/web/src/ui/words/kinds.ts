// What each kind of data is made of, in words.

import type { DataKind, DataView, Schemas } from "../api/types";

export type DataForm = Schemas["DataForm"];

/** What a row of the file can be. */
export const FORMS: { form: DataForm; label: string; about: string }[] = [
  { form: "sequences", label: "Events in order", about: "trips, visits, clicks: a row an event, or a row with all events of a record" },
  { form: "sets", label: "Sets", about: "baskets, diagnoses, codes: the same, and order means nothing" },
  { form: "table", label: "A table of people", about: "a row a person: age, postcode, diagnosis" },
  { form: "mixed", label: "A table with sets", about: "a row a person, and one column holds all their items: patients with their diagnoses" },
];

/** What an attacker may know of a person: one, many. */
export function clue(kind: DataKind | null | undefined): [string, string] {
  if (kind === "table") return ["attribute", "attributes"];
  if (kind === "sets") return ["item", "items"];
  return ["event", "events"];
}

/** What the items are, by the name of their column or of the project: one, many. */
const NOUNS: [RegExp, [string, string]][] = [
  [/place|location|poi|region|venue|zone|cell/, ["place", "places"]],
  [/station|stop/, ["stop", "stops"]],
  [/url|page|site|click/, ["page", "pages"]],
  [/product|article|sku|basket/, ["product", "products"]],
  [/diagnos|code|icd|drug/, ["code", "codes"]],
];

/** What the data are made of, in the user's words. */
export function nounOf(data: Pick<DataView, "kind" | "roles"> | null | undefined, placed: boolean, called = ""): [string, string] {
  const names = placed ? ["place"] : [data?.roles.item ?? "", called].map((name) => name.toLowerCase());
  const found = names.flatMap((name) => NOUNS.find(([pattern]) => pattern.test(name))?.slice(1) as [[string, string]] | undefined ?? []);
  return found[0] ?? (data?.kind === "sets" ? ["item", "items"] : ["event", "events"]);
}

/** A text of a preset about these data. */
export const spoken = (text: string, [one, many]: [string, string]): string => text.replaceAll("{one}", one).replaceAll("{many}", many);
