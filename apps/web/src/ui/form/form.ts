// From a parameter's description to a form field, and from what was typed to what is wrong with it.

import type { Descriptor, Param, Settings } from "../api/types";
import { count } from "../words/format";

export interface Field {
  name: string;
  label: string;
  control: "number" | "text" | "choice" | "switch";
  required: boolean;
  placeholder: string;
  hint: string;
  min?: number;
  max?: number;
  step?: number | "any";
  words?: string[];
}

/** An upper limit beyond this is not shown: “0 to 4,000,000,000” helps no user. */
const UNBOUNDED = 1_000_000;

function range(min: number, max: number): string {
  return max >= UNBOUNDED ? `${count(min)} or more` : `${count(min)} to ${count(max)}`;
}

function real(min: number, max: number): string {
  return `${min} to ${max}`;
}

export function fieldOf(param: Param): Field {
  const base = {
    name: param.name,
    label: param.help,
    required: param.default === null,
    placeholder: param.default ?? "",
  };
  const { kind } = param;
  switch (kind.type) {
    case "integer":
      return { ...base, control: "number", min: kind.min, max: kind.max, step: 1, hint: range(kind.min, kind.max) };
    case "integerormax":
      return { ...base, control: "text", min: kind.min, max: kind.max, hint: `${range(kind.min, kind.max)}, or max` };
    case "number":
      return { ...base, control: "number", min: kind.min, max: kind.max, step: "any", hint: real(kind.min, kind.max) };
    case "share":
      return { ...base, control: "text", hint: "a share: 0.6, 60% or 3/5" };
    case "threshold":
      return { ...base, control: "text", hint: "people (30) or a share of them (1%)" };
    case "choice":
      return { ...base, control: "choice", words: kind.words, hint: "" };
    case "switch":
      return { ...base, control: "switch", hint: "" };
    case "column":
      return { ...base, control: "text", hint: "the name of a column" };
  }
}

export const fieldsOf = (descriptor: Descriptor): Field[] => descriptor.params.map(fieldOf);

const WHOLE = /^\d+$/;
const SHARE = /^(\d+(\.\d+)?%?|\d+\/[1-9]\d*)$/;

/** A share as a number, or null when it is not one. */
export function shareOf(text: string): number | null {
  if (!SHARE.test(text)) return null;
  if (text.endsWith("%")) return Number(text.slice(0, -1)) / 100;
  const [top, bottom] = text.split("/");
  return bottom === undefined ? Number(top) : Number(top) / Number(bottom);
}

/** What is wrong with a value, in words, or null. The server checks again; this answers while typing. */
export function wrong(param: Param, typed: string | undefined): string | null {
  const text = (typed ?? "").trim();
  if (text === "") return param.default === null ? "This is needed." : null;
  const { kind } = param;
  switch (kind.type) {
    case "integer":
    case "integerormax": {
      if (kind.type === "integerormax" && text === "max") return null;
      if (!WHOLE.test(text)) return "A whole number, please.";
      const n = Number(text);
      return n < kind.min || n > kind.max ? `It must be ${range(kind.min, kind.max)}.` : null;
    }
    case "number": {
      const n = Number(text);
      if (Number.isNaN(n)) return "A number, please.";
      return n < kind.min || n > kind.max ? `It must be ${real(kind.min, kind.max)}.` : null;
    }
    case "share": {
      const share = shareOf(text);
      return share === null || share > 1 ? "A share between 0 and 1: 0.6, 60% or 3/5." : null;
    }
    case "threshold": {
      if (WHOLE.test(text)) return null;
      const share = text.endsWith("%") ? shareOf(text) : null;
      return share === null || share > 1 ? "People (30) or a share of them (1%)." : null;
    }
    case "choice":
      return kind.words.includes(text) ? null : `One of ${kind.words.join(", ")}.`;
    case "switch":
      return text === "true" || text === "false" ? null : "On or off.";
    case "column":
      return null;
  }
}

export function wrongs(descriptor: Descriptor, settings: Settings): Record<string, string> {
  const found: Record<string, string> = {};
  for (const param of descriptor.params) {
    const message = wrong(param, settings[param.name]);
    if (message) found[param.name] = message;
  }
  return found;
}

/** Values that differ from the defaults, in the descriptor's order: what a recipe has to say. */
export function given(descriptor: Descriptor, settings: Settings): Settings {
  const kept: Settings = {};
  for (const param of descriptor.params) {
    const value = (settings[param.name] ?? "").trim();
    if (value !== "" && value !== param.default) kept[param.name] = value;
  }
  return kept;
}

/** The value in force: what was typed, else the default. */
export function inForce(param: Param, settings: Settings): string {
  const typed = (settings[param.name] ?? "").trim();
  return typed === "" ? (param.default ?? "") : typed;
}

/** Every value in force. A promise asked for by itself has no defaults: it takes those of the method at hand. */
export function allInForce(descriptor: Descriptor, settings: Settings): Settings {
  return Object.fromEntries(descriptor.params.map((param) => [param.name, inForce(param, settings)]));
}

/** Parameters of the promise come first in a form; the others fine-tune the method. */
export function split(descriptor: Descriptor, promise: Descriptor | undefined): { promise: Param[]; method: Param[] } {
  const names = new Set(promise?.params.map((param) => param.name) ?? []);
  const needed = (param: Param) => names.has(param.name) || param.default === null;
  return {
    promise: descriptor.params.filter(needed),
    method: descriptor.params.filter((param) => !needed(param)),
  };
}
