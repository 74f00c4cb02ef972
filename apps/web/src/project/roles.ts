// What a column can be, in the user's words.

import type { Role } from "../ui/api/types";

export const ROLES: { role: Role; label: string; about: string }[] = [
  { role: "subject", label: "person", about: "who it is about; never published" },
  { role: "record", label: "trip or stay", about: "groups the events of one person" },
  { role: "item", label: "what happened", about: "the place, page, diagnosis or product" },
  { role: "time", label: "when", about: "orders the events; published only by methods that protect it" },
  { role: "identifying", label: "identifies", about: "a name, number or address; never published" },
  { role: "quasi-identifying", label: "may identify together", about: "age, sex, postcode" },
  { role: "sensitive", label: "sensitive", about: "must not be inferred" },
  { role: "insensitive", label: "harmless", about: "may be published if you choose it" },
  { role: "none", label: "leave out", about: "not published" },
];

/** A column of a table is no event. */
const OF_TABLE: Role[] = ["subject", "identifying", "quasi-identifying", "sensitive", "insensitive", "none"];

/** A column of events says who, what or when. What belongs to the person is taken along as an attribute, which has a role of its own. */
const OF_EVENTS: Role[] = ["subject", "record", "item", "time", "none"];

/** A column of a table with sets is one of a table, or holds the items. */
const OF_MIXED: Role[] = [...OF_TABLE, "item"];

const FITTING: Record<"table" | "mixed" | "events" | "people", Role[]> = { table: OF_TABLE, mixed: OF_MIXED, events: OF_EVENTS, people: OF_TABLE.filter((role) => role !== "subject") };

/** What a column can be: of a table, of events, or of the attributes of people. One that it is already stays on the list. */
export const rolesOf = (of: keyof typeof FITTING, now?: Role) => {
  const fitting = FITTING[of];
  return ROLES.filter(({ role }) => fitting.includes(role) || role === now);
};

export const KINDS = ["category", "number", "date"] as const;

export const roleLabel = (role: Role): string => ROLES.find((one) => one.role === role)?.label ?? role;

export const aboutRole = (role: Role | undefined): string => ROLES.find((one) => one.role === role)?.about ?? "";

/** Roles of columns that a release may hold. */
const PUBLISHABLE: (Role | null)[] = ["quasi-identifying", "sensitive", "insensitive"];

export const canBePublished = (role: Role | null): boolean => PUBLISHABLE.includes(role);

/** The columns that are ticked: those that the user said, or, where columns are published by their roles, those that the promise speaks of. */
export function ticked(columns: { name: string; role: Role | null }[], said: string[] | null, byRole: boolean): string[] {
  const usual = (role: Role | null) => byRole && role !== "insensitive";
  return columns.filter(({ name, role }) => canBePublished(role) && (said ? said.includes(name) : usual(role))).map(({ name }) => name);
}
