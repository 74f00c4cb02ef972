// Why a step of a method was taken, as a sentence.

import type { DataKind, Reason } from "../api/types";
import { capital, count, people } from "./format";

/** The members of a generalised item, `{a|b|c}`; an item of the data is its own only member. */
export function membersOf(item: string): string[] {
  return item.startsWith("{") && item.endsWith("}") ? item.slice(1, -1).split("|") : [item];
}

/** A few names, and how many more there are. */
export function some(names: string[], total = names.length, most = 4): string {
  if (total <= most) return names.join(", ");
  return `${names.slice(0, most - 1).join(", ")} and ${count(total - most + 1)} more`;
}

/** A released item as people say it: `A7`, `A7 or A8`, `one of 12 (A5, A6, A7 and 9 more)`. */
export function itemWords(item: string): string {
  const members = membersOf(item);
  if (members.length === 1) return item;
  if (members.length <= 3) return `${members.slice(0, -1).join(", ")} or ${members.at(-1)}`;
  return `one of ${members.length} (${some(members)})`;
}

/** What a step was done to. A group that exists already is called one. */
function thing(item: string): string {
  const members = membersOf(item);
  return members.length === 1 ? item : `the group of ${some(members, members.length, 3)}`;
}

const together = (items: string[]): string => items.map(thing).join(items.length === 2 ? " and " : ", ");

/** What each method's word for a step means to the reader. */
function deed(did: string, items: string[]): string {
  const all = together(items);
  switch (did) {
    case "merge":
      return `${all} became one`;
    case "suppress":
      return `${all} ${items.length === 1 ? "was" : "were"} taken away`;
    case "cut":
      return items.length > 0 ? `the route ${items.map(itemWords).join(", ")} was moved onto a more common one` : "the route was moved onto a more common one";
    case "refine":
      return `${all} could be told more finely`;
    case "expand":
      return "what follows it was counted too";
    default:
      return items.length > 0 ? `${did}: ${all}` : did;
  }
}

/** `Only 1 person has A7, then D5; 5 are needed. So A7 and A8 became one.` */
export function reasonWords(reason: Reason, kind: DataKind | null): string {
  const pattern = reason.pattern.map(itemWords).join(kind === "sets" ? " and " : ", then ");
  const has = reason.support === 1 ? "has" : "have";
  const done = deed(reason.did, reason.items ?? []);
  if (!pattern) return `${capital(done)}.`;
  if (reason.support >= reason.needed) return `${capital(people(reason.support))} ${has} ${pattern}, so ${done}.`;
  const found = reason.support === 0 ? `No person has ${pattern}` : `Only ${people(reason.support)} ${has} ${pattern}`;
  return `${found}; ${count(reason.needed)} are needed. So ${done}.`;
}
