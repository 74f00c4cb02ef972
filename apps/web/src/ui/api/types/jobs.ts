// Work that is asked for, and how far it is.

import type { Settings } from "./catalogue";
import type { Narrow, Schemas } from "./narrow";

export type Check = Schemas["Checked"];
export type JobState = Schemas["JobState"];
export type JobProgress = Narrow<Schemas["ProgressView"], { done: number; messages: string[] }>;

// In a request every field is given, and values are text, as a user would type them.
export type AnonymizeSpec = { kind: "anonymize" } & Narrow<Schemas["AnonymizeSpec"], { method: string; settings: Settings; variant: "sound" | "as-printed"; publish: string[] }>;
export type CompareSpec = { kind: "compare" } & Narrow<Schemas["CompareSpec"], { methods: { name: string; label?: string; settings: Settings }[]; vary?: Narrow<Schemas["Vary"], { param: string; values?: string[] }> }>;
export type RecommendSpec = { kind: "recommend" } & Narrow<Schemas["RecommendSpec"], { promise: string; settings: Settings; keep: string }>;
export type JobSpec = AnonymizeSpec | CompareSpec | RecommendSpec;

/** A screen to be written as a recipe and a command. */
export type CopySpec =
  | { screen: "data" | "meaning"; run: AnonymizeSpec | null }
  | { screen: "risk"; run: AnonymizeSpec | null; attacker: Settings }
  | { screen: "patterns"; miner: string; settings: Settings; release: string | null }
  | ({ screen: "compare" } & CompareSpec);
export type CopyText = Schemas["CopyText"];

export type Job = Narrow<Schemas["Job"], { kind: JobSpec["kind"]; spec: JobSpec; progress: JobProgress }>;
