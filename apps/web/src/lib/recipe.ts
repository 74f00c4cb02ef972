// Screens before a method is chosen, and sweeps, as a recipe and as a command. A run is written down by the server alone.

import type { Catalogue, Column, CompareSpec, Descriptor, InputView, Role, Settings } from "./types";

export interface CopyText {
  recipe: string;
  command: string;
}

const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** A word as a shell takes it. */
export function quoted(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A string as TOML takes it. */
export function toml(value: string): string {
  if (/^-?\d+(\.\d+)?$/.test(value) || value === "true" || value === "false") return value;
  return JSON.stringify(value);
}

/** `-k 5`, `--distance average`, `--no-apriori`: one letter is short unless it is upper case. */
export function flags(method: Descriptor | undefined, settings: Settings): string[] {
  const words: string[] = [];
  for (const [name, value] of Object.entries(settings)) {
    const param = method?.params.find((candidate) => candidate.name === name);
    if (param?.kind.type === "switch") {
      if (value === "true") words.push(`--${name}`);
      continue;
    }
    words.push(name.length === 1 && name === name.toLowerCase() ? `-${name}` : `--${name}`, quoted(value));
  }
  return words;
}

const EVENT_ROLES: Role[] = ["subject", "record", "item", "time"];

/** The role flags of columns, as a command would need them. */
export function roleFlags(columns: Column[]): string[] {
  const words: string[] = [];
  for (const column of columns) {
    const role = column.role ?? column.guessed_role;
    if (EVENT_ROLES.includes(role)) {
      if (column.name.toLowerCase() !== role) words.push(`--${role}`, quoted(column.name));
    } else if (role !== "none") words.push("--role", quoted(`${column.name}=${role}`));
  }
  return words;
}

export function inputFlags(inputs: InputView[], catalogue: Catalogue | null): string[] {
  const known = new Set(catalogue?.inputs.map((input) => input.flag) ?? inputs.map((input) => input.input));
  return inputs.filter((input) => known.has(input.input)).flatMap((input) => [`--${input.input}`, quoted(input.name)]);
}

const key = (name: string): string => (/^[A-Za-z0-9_-]+$/.test(name) ? name : JSON.stringify(name));

function table(name: string, entries: [string, string][]): string {
  return `[${name}]\n${entries.map(([word, value]) => `${key(word)} = ${value}`).join("\n")}\n`;
}

/** The part of a recipe that says what the data are: the keys are the flags without dashes. */
export function dataTable(file: string, columns: Column[], inputs: InputView[]): string {
  const entries: [string, string][] = [["events", JSON.stringify(file)]];
  for (const column of columns) {
    const role = column.role ?? column.guessed_role;
    if (EVENT_ROLES.includes(role) && column.name.toLowerCase() !== role) entries.push([role, JSON.stringify(column.name)]);
  }
  for (const input of inputs) entries.push([input.input, JSON.stringify(input.name)]);
  return table("data", entries);
}

/** A recipe as far as the steps before a method have written it. */
export function recipeSoFar(file: string, columns: Column[], inputs: InputView[]): string {
  const parts = ['schema = "throng-recipe/1"\n', dataTable(file, columns, inputs), "# [method] is written by the step Promise and method.\n"];
  const roles = columns
    .map((column): [string, Role] => [column.name, column.role ?? column.guessed_role])
    .filter(([, role]) => !EVENT_ROLES.includes(role) && role !== "none");
  if (roles.length > 0) parts.push(table("publish", [["roles", `{ ${roles.map(([name, role]) => `${key(name)} = ${JSON.stringify(role)}`).join(", ")} }`]]));
  return parts.join("\n");
}

/** All values from start to end, without the dust of adding decimals. */
export function steps(from: number, to: number, step: number): number[] {
  if (!(step > 0) || !(to >= from) || ![from, to, step].every(Number.isFinite)) return [];
  const digits = Math.max(...[from, step].map((n) => (String(n).split(".")[1] ?? "").length));
  const values: number[] = [];
  for (let i = 0; i < 1000; i += 1) {
    const value = Number((from + i * step).toFixed(digits));
    if (value > to + step * 1e-9) break;
    values.push(value);
  }
  return values;
}

/** A sweep over methods and one parameter. */
export function compareText(spec: CompareSpec, data: string): CopyText {
  const values = spec.vary.values ?? steps(spec.vary.from ?? 0, spec.vary.to ?? 0, spec.vary.step ?? 0).map(String);
  const methods = spec.methods.map((method) => {
    const settings = Object.entries(method.settings).filter(([name]) => name !== spec.vary.param);
    return `\n[[methods]]\nname = ${JSON.stringify(method.name)}\n${settings.map(([name, value]) => `${name} = ${toml(value)}\n`).join("")}`;
  });
  const recipe = `schema = "throng-compare/1"\n\n${data}\n${table("vary", [[spec.vary.param, `[${values.map(toml).join(", ")}]`]])}${methods.join("")}`;
  return { recipe, command: "throng compare recipe.toml -o comparison" };
}

/** A screen that waits for a method: the recipe as far as it goes, and the command that would carry it out. */
export function waitingText(file: string, columns: Column[], inputs: InputView[]): CopyText {
  return { recipe: recipeSoFar(file, columns, inputs), command: "throng anonymize --recipe recipe.toml -o release" };
}
