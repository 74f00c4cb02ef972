// What came of a job.

import type { Scale, Settings } from "./catalogue";
import type { MapView } from "./data";
import type { Schemas } from "./narrow";
import type { RiskCurve } from "./risk";

export interface Manifest {
  promise: { name: string; parameters: Record<string, unknown>; statement: string };
  method: { name: string; paper: string; parameters: Record<string, unknown>; variant: string; seed?: number };
  counts: Record<string, number>;
  nature?: string;
  verdict?: { holds?: boolean; checked?: number; checker?: string; violations_total?: number };
  /** The second verdict: what the release is still good for. Releases of version 0.1.0 have none. */
  usefulness?: { grade: "good" | "limited" | "poor"; reasons: string[] };
  /** The columns of a released table. */
  table?: { name: string; role: string; type: string; nodes?: { node: string; members: string[] }[] }[];
  /** Where columns of the records are published. */
  columns_verdict?: { covered: boolean; crowd: number; people_below: number; unique: number; accepted: boolean; statement: string };
  [key: string]: unknown;
}

export interface Suppression {
  items: number;
  events: number;
  events_share: number;
  emptied_records: number;
  /** Rows of a table of which nothing is said. */
  rows?: number;
  /** Items that no longer occur, with the people who had them. */
  first?: { item: string; people: number }[];
}

/** A step of the method and the pattern that forced it. */
export interface Reason {
  pattern: string[];
  support: number;
  needed: number;
  did: string;
  items?: string[];
}

/** Of a column of a table, or of the items of sets. */
export interface Frequencies {
  column: string | null;
  released_total: number;
  released: { value: string; covers: number; released: number; original: number }[];
  original_total: number;
  original: { value: string; original: number; estimate: number; error: number }[];
}

/** What attackers can do who know all columns of a person. */
export interface AllKnown {
  prosecutor?: number;
  journalist?: number;
  marketer: number;
  disclosure?: { confidence: number; highest?: number; certain?: number };
}

export interface TableRisk {
  columns: number;
  before: AllKnown;
  after: AllKnown;
  /** How surely a sensitive value is guessed without knowing anything. */
  by_chance?: number;
}

export interface AnonymizeResult {
  kind: "anonymize";
  manifest: Manifest;
  verdict: { holds: boolean; statement: string; checked: number };
  /** Exact sizes; those of the manifest are rounded. */
  counts: Record<string, number>;
  /** `table`: of a table, with all columns known. */
  risk: { before: RiskCurve; after: RiskCurve; table?: TableRisk | null };
  measures: { name: string; value: number; help?: string; better?: string }[];
  /** Null for synthetic records, which were never events of the data. */
  suppression: Suppression | null;
  generalised: { total: number; first: { item: string; members: string[]; members_total: number; people?: number | null }[] };
  frequencies: Frequencies[];
  /** Further promises that were asked for and hold. */
  also: { holds: boolean; statement: string; checked: number }[];
  /** Seconds of each step. */
  seconds: [string, number][];
  reasons: { total: number; first: Reason[] };
  map_before: MapView | null;
  map_after: MapView | null;
  notes: string[];
}

export interface CompareCell {
  method: string;
  /** Value of the varying parameter. */
  x: string;
  state: "done" | "failed" | "timed-out" | "infeasible" | "running";
  problem?: string | null;
  seconds?: number | null;
  values: Record<string, number | null>;
}

export interface CompareResult {
  kind: "compare";
  param: string;
  scales: Scale[];
  cells: CompareCell[];
}

export interface RecommendResult {
  kind: "recommend";
  choice: { method: string; settings: Settings } | null;
  why: string;
  candidates: { method: string; settings: Settings; values: Record<string, number | null>; problem?: string | null }[];
}

/** What changed in the data since a release was made. */
export type Differences = Schemas["Differences"];
export type ChecklistPoint = Schemas["ChecklistPoint"];
export type ReleaseFile = Schemas["FileView"];
export type Published = Schemas["Published"];
/** What the ledger of earlier releases says about one. */
export type LedgerView = Schemas["LedgerView"];
export type EarlierRelease = Schemas["EarlierView"];
