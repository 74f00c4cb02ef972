// Work that is asked for, and how far it is.

import type { Settings } from "./catalogue";
import type { Problem } from "./data";

export interface Check {
  ok: boolean;
  problems: { field?: string | null; detail: string; help?: string | null }[];
  missing_inputs: string[];
  estimate?: { events: number; seconds_low: number; seconds_high: number; basis: string } | null;
  recipe: string;
  command: string;
}

export type JobState = "queued" | "running" | "done" | "failed" | "cancelled" | "interrupted";

export interface JobProgress {
  phase: string | null;
  done: number;
  total: number | null;
  eta_seconds?: number | null;
  /** Phases that are over, with their seconds. */
  phases?: [string, number][];
  messages: string[];
}

export interface AnonymizeSpec {
  kind: "anonymize";
  method: string;
  settings: Settings;
  variant: "sound" | "as-printed";
  seed: number;
  publish: string[];
}

export interface CompareSpec {
  kind: "compare";
  methods: { name: string; settings: Settings }[];
  vary: { param: string; from?: number; to?: number; step?: number; values?: string[] };
  measures?: string[];
}

export interface RecommendSpec {
  kind: "recommend";
  promise: string;
  settings: Settings;
  keep: string;
}

export type JobSpec = AnonymizeSpec | CompareSpec | RecommendSpec;

export interface Job {
  id: string;
  project: string;
  kind: JobSpec["kind"];
  state: JobState;
  created: string;
  started: string | null;
  finished: string | null;
  spec: JobSpec;
  progress: JobProgress;
  problem?: Problem | null;
  recipe: string;
  command: string;
  pinned: boolean;
  note: string;
  /** When the checklist was completed. */
  published?: string | null;
}
