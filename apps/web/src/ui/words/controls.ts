// A way out of a problem names settings and what to change them to; the page says where they are on the screen.

import type { Catalogue, Help } from "../api/types";
import { capital } from "./format";
import { inputTitle } from "./inputs";

/** The control for each setting. Those of inputs and parameters are found in the catalogue. */
const CONTROLS: Record<string, string> = {
  subject: "the role “person” (step Data)",
  record: "the role “trip or stay” (step Data)",
  item: "the role “what happened” (step Data)",
  time: "the role “when” (step Data)",
  id: "the role “person” (step Data)",
  quasi: "the role “may identify together” (step Data)",
  "sensitive-attribute": "the role “sensitive” (step Data)",
  role: "the roles of columns (step Data)",
  schema: "the roles of columns (step Data)",
  sets: "“What is a row?” (step Data)",
  format: "“What is a row?” (step Data)",
  delimiter: "“Columns are separated by” (step Data)",
  "time-format": "“Times are written” (step Data)",
  separator: "“One column holds all items” (step Data)",
  wide: "“One column holds all items” (step Data)",
  encoding: "“Letters are stored as” (step Data)",
  sheet: "“Sheet of the workbook” (step Data)",
  "no-header": "“The first line is a row” (step Data)",
  "no-time": "the role “leave out” for the column of the time (step Data)",
  "input-format": "“What is a row?” (step Data)",
  cell: "“Side of a cell” (step Data)",
  "accept-loss": "the box below",
  attributes: "“What else the file says” (step Data)",
  lat: "“What else the file says” (step Data)",
  lon: "“What else the file says” (step Data)",
  category: "“What else the file says” (step Data)",
  "first-value": "“Take the first value of each” (step Data)",
  dataset: "“The ledger calls these data” (step Publish)",
  publish: "“Columns to publish” (step Promise and method)",
  variant: "“Variant” (step Promise and method)",
  seed: "“Seed of random choices” (step Promise and method)",
  "allow-empty": "the box below",
  "accept-exposed-columns": "the box below",
};

/** The name of the control of a setting, or null where the page has none. */
function control(setting: string, all: Catalogue | null): string | null {
  if (CONTROLS[setting]) return CONTROLS[setting];
  const name = setting === "hierarchies" ? "hierarchy" : setting;
  if (all?.inputs.some((input) => input.flag === name)) return `“${capital(inputTitle(name))}” (step Meaning)`;
  const param = all?.methods.flatMap((method) => method.params).find((one) => one.name === setting);
  return param ? `“${param.help}”` : null;
}

/** A value that stands for what the user knows (`COLUMN`, `FILE`) says nothing on a page that has a control for it. */
const isPlaceholder = (value: string): boolean => /^[A-Z][A-Z=.,|]*$/.test(value);

/** A way out in the words of the page. What only a terminal can do stays as it is typed. */
export function worded(help: Help | string, all: Catalogue | null): string {
  if (typeof help === "string") return help;
  return help
    .map((part) => {
      if (typeof part === "string") return part;
      if ("command" in part) return `\`throng ${part.command}\``;
      const name = control(part.setting, all);
      const value = part.value ?? "";
      if (name) return value && !isPlaceholder(value) ? `${name}: \`${value}\`` : name;
      return `\`${[part.setting, value].filter(Boolean).join(" ")}\``;
    })
    .join("");
}

/** Whether a way out would change a setting. */
export const changes = (help: Help | null | undefined, setting: string): boolean =>
  (help ?? []).some((part) => typeof part === "object" && "setting" in part && part.setting === setting);
