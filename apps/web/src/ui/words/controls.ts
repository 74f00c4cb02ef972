// Help of the server names flags of the command line, which a page does not have: this module replaces each flag by the name of the control
// that does the same. It reads flags out of English sentences, because sentences are what the server sends; it is the only module that does.
// As soon as help comes as a setting and a change, components word it themselves and this module goes.

import type { Catalogue } from "../api/types";
import { capital } from "./format";
import { inputTitle } from "./inputs";

/** The control for each flag. Those of inputs and parameters are found in the catalogue. */
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

/** The name of the control that does the same as a flag, or null where there is none. */
function control(flag: string, all: Catalogue | null): string | null {
  if (CONTROLS[flag]) return CONTROLS[flag];
  const name = flag === "hierarchies" ? "hierarchy" : flag;
  if (all?.inputs.some((input) => input.flag === name)) return `“${capital(inputTitle(name))}” (step Meaning)`;
  const param = all?.methods.flatMap((method) => method.params).find((one) => one.name === flag);
  return param ? `“${param.help}”` : null;
}

/** A message with controls instead of flags. A flag without a control stays as it is. */
export function spokenControls(text: string, all: Catalogue | null): string {
  return text
    .replace(/`--?([A-Za-z][A-Za-z-]*)((?: |=)[^`]*)?`/g, (typed: string, flag: string) => control(flag, all) ?? typed)
    .replace(/(^|\s)--([a-z][a-z-]+)(?: [A-Z][A-Z=.,]*)?/g, (typed: string, before: string, flag: string) => {
      const name = control(flag, all);
      return name ? `${before}${name}` : typed;
    });
}
