// A project and its data.

import type { FeatureCollection } from "geojson";
import type { DataKind } from "./catalogue";

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

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  help?: string;
  field?: string;
}
