// How an entry of a list is told in a line. Files are written by the server alone.

import type { Condition, Entry } from "../../ui/api/types";

const named = (value: string) => (value === "" ? "(empty)" : value);

const conditionText = ({ column, values, between }: Condition): string =>
  between ? `${column} from ${between[0]} to ${between[1]}` : values.length === 1 ? `${column} is ${named(values[0] ?? "")}` : `${column} is one of ${values.map(named).join(", ")}`;

export function entryText(entry: Entry, ordered: boolean): string {
  const items = entry.items.join(ordered ? " > " : ", ");
  return [items, ...entry.conditions.map(conditionText)].filter(Boolean).join("; ");
}
