// What the program offers.

import type { Narrow, Schemas } from "./narrow";

export type ParamKind =
  | { type: "integer"; min: number; max: number }
  | { type: "integerormax"; min: number; max: number }
  | { type: "number"; min: number; max: number }
  | { type: "share" }
  | { type: "threshold" }
  | { type: "choice"; words: string[] }
  | { type: "switch" }
  | { type: "column" };

export interface Param {
  name: string;
  kind: ParamKind;
  /** As a person would type it; null means that it must be given. */
  default: string | null;
  help: string;
}

export interface Need {
  input: string;
  required: boolean;
}

export interface Scale {
  name: string;
  help: string;
  min: number | null;
  max: number | null;
  better: "low" | "high" | "neither";
}

export type DataKind = "sequences" | "timed" | "sets" | "table";

export interface Descriptor {
  name: string;
  kind: string;
  purpose: string;
  takes: DataKind[];
  needs: Need[];
  params: Param[];
  keeps: string | null;
  gauge?: { cost: string; scales: Scale[] } | null;
  variants: boolean;
  paper: string;
  example: string;
  notes: string;
}

export type World = Schemas["WorldEntry"];

export interface Preset {
  name: string;
  title: string;
  /** What it means, for somebody who has never heard of k-anonymity. */
  says: string;
  promise: string;
  method: string;
  settings: Settings;
}

/** The flag is also the name in `/inputs/{input}`. */
export type InputKind = Schemas["InputEntry"];

/** Descriptors are the program's own, and described there. */
export type Catalogue = Narrow<Schemas["Catalogue"], { methods: Descriptor[]; promises: Descriptor[]; measures: Descriptor[]; attackers: Descriptor[]; presets: Preset[] }>;

/** Values as a person would type them. */
export type Settings = Record<string, string>;

export type Session = Schemas["Session"];
