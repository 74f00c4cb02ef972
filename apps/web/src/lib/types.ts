// What the server says, as the OpenAPI description at /api/openapi.json has it.

import type { FeatureCollection } from "geojson";

export type ParamKind =
  | { type: "integer"; min: number; max: number }
  | { type: "integerormax"; min: number; max: number }
  | { type: "number"; min: number; max: number }
  | { type: "share" }
  | { type: "threshold" }
  | { type: "choice"; words: string[] }
  | { type: "switch" };

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

export type DataKind = "sequences" | "timed" | "sets";

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

export interface World {
  name: string;
  title: string;
  purpose: string;
  subjects: number;
  events?: number;
  items?: number;
  /** What an item is, in the plural. */
  noun?: string;
  /** Share of people singled out by two of their own events. */
  singled_out_by_2?: number;
}

export interface Preset {
  name: string;
  title: string;
  /** What it means, for somebody who has never heard of k-anonymity. */
  says: string;
  promise: string;
  method: string;
  settings: Settings;
}

export interface InputKind {
  /** The flag, which is also the name in `/inputs/{input}`. */
  name: string;
  flag: string;
  describe: string;
}

export interface Catalogue {
  methods: Descriptor[];
  promises: Descriptor[];
  measures: Descriptor[];
  attackers: Descriptor[];
  inputs: InputKind[];
  worlds: World[];
  presets: Preset[];
}

/** Values as a person would type them. */
export type Settings = Record<string, string>;

export interface Session {
  program: string;
  version: string;
  data_dir: string;
  limits: { upload_bytes: number };
}

export interface Project {
  id: string;
  name: string;
  created: string;
  opened: string;
  source: string;
  subjects: number | null;
  events: number | null;
  jobs_running: number;
}

export type Role =
  | "subject"
  | "record"
  | "item"
  | "time"
  | "identifying"
  | "quasi-identifying"
  | "sensitive"
  | "insensitive"
  | "none";

export interface Column {
  name: string;
  guessed_role: Role;
  /** Null until somebody confirms it. */
  role: Role | null;
  kind: string;
  distinct: number;
  missing: number;
  /** Shapes such as `p999999`, never values. */
  example_shapes: string[];
}

export interface Bar {
  label?: string;
  from?: number;
  to?: number;
  count: number;
  people?: number;
}

export interface Histogram {
  column?: string;
  total: number;
  bars: Bar[];
  other?: number;
}

export interface DataProblem {
  detail: string;
  help?: string;
  line?: number;
  column?: string;
}

export interface DataView {
  state: "loading" | "ready" | "problem";
  /** How far reading is, while it is being read. */
  progress?: { phase: string; done: number; total: number | null } | null;
  format: string;
  kind: DataKind | null;
  rows: number;
  columns: Column[];
  /** Columns of the records, if there are records. */
  attributes: Column[];
  problem?: DataProblem | null;
  sentence: string;
  counts: { subjects: number; records: number; events: number; items: number };
  lengths: Histogram | null;
  top_items: { item: string; people: number; events: number }[];
  times?: Histogram | null;
  undo: number;
  redo: number;
}

export interface Rows {
  total: number;
  offset: number;
  columns: string[];
  /** The row's number first, then one value for each column. */
  rows: [number, ...string[]][];
}

export type Edit =
  | { op: "set"; row: number; column: string; value: string }
  | { op: "delete"; rows: number[] }
  | { op: "rename"; column: string; name: string }
  | { op: "rename-item"; from: string; to: string };

export interface EditState {
  undo: number;
  redo: number;
  rows: number;
}

export interface MapView {
  system: "degrees" | "plane";
  /** West, south, east, north. */
  bounds: [number, number, number, number];
  features: FeatureCollection;
}

export interface InputView {
  input: string;
  name: string;
  rows: number;
  problem?: string | null;
}

export interface TaxonomyNode {
  id: string;
  name: string;
  parent: string | null;
  leaves: number;
  children: number;
}

export interface ItemHit {
  item: string;
  people: number;
  category?: string | null;
}

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  help?: string;
  field?: string;
}

export interface Share {
  count: number;
  share: number;
  low?: number;
  high?: number;
}

export interface RiskPoint {
  known: number;
  singled_out: Share;
  /** Fewer people than `below` fit. */
  below: Share;
  expected?: number | null;
}

export interface RiskCurve {
  people: number;
  targets: number;
  sampled: boolean;
  below: number;
  points: RiskPoint[];
}

export interface PlayAnswer {
  matches: number;
  of: number;
  shared_items: { item: string; people: number }[];
  sensitive?: { value: string; people: number; share: number }[] | null;
}

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

export interface Manifest {
  promise: { name: string; parameters: Record<string, unknown>; statement: string };
  method: { name: string; paper: string; parameters: Record<string, unknown>; variant: string; seed: number };
  counts: Record<string, number>;
  nature?: string;
  verdict?: { holds?: boolean; checked?: number; checker?: string; violations_total?: number };
  [key: string]: unknown;
}

export interface AnonymizeResult {
  kind: "anonymize";
  manifest: Manifest;
  verdict: { holds: boolean; statement: string; checked: number };
  risk: { before: RiskCurve; after: RiskCurve };
  measures: { name: string; value: number; help?: string; better?: string }[];
  suppression: { items: number; events: number; events_share: number; emptied_records: number };
  generalised: { total: number; first: { item: string; members: string[]; members_total: number }[] };
  reasons: { total: number; first: { pattern: string[]; support: number; needed: number; did: string; items?: string[] }[] };
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

export interface ReleaseFile {
  name: string;
  bytes: number;
}

export interface Published {
  download: string;
  recipe: string;
  report: string;
}

export interface ColumnsUpdate {
  roles: Record<string, Role>;
  /** Roles of columns of the records. */
  attributes?: Record<string, Role>;
  delimiter?: string;
  wide?: string;
  separator?: string;
  time_format?: string;
}

export type TaxonomyEdit =
  | { op: "rename"; id: string; name: string }
  | { op: "move"; id: string; to: string }
  | { op: "add"; under: string; name: string }
  | { op: "remove"; id: string };
