// A project and its data.

import type { FeatureCollection } from "geojson";
import type { DataKind } from "./catalogue";
import type { Narrow, Schemas } from "./narrow";

export type Project = Schemas["Project"];
export type Role = Schemas["ColumnRole"];
export type Bar = Schemas["Bar"];
export type Histogram = Schemas["Histogram"];
export type Edit = Schemas["EditRequest"];
export type EditState = Schemas["History"];
export type InputView = Schemas["InputView"];
export type ItemHit = Schemas["ItemHit"];
export type ValueHit = Schemas["ValueHit"];
/** The lowest and the highest wanted. */
export type Condition = Narrow<Schemas["Condition"], { values: string[]; between: [string, string] | null }>;
export type Entry = Narrow<Schemas["Entry"], { items: string[]; conditions: Condition[] }>;
export type EntriesPage = Narrow<Schemas["EntriesPage"], { entries: { at: number; entry: Entry }[] }>;
export type EntryEdit = { op: "add"; entry: Entry } | { op: "replace"; at: number; entry: Entry } | { op: "remove"; at: number };
export type ColumnsUpdate = Schemas["ColumnsChange"];
export type TaxonomyEdit = Schemas["TaxonomyEdit"];
export type Problem = Schemas["Problem"];
/** One way out: words, settings with what to change them to, and commands. */
export type Help = Schemas["Help"];
export type Fit = Schemas["FitView"];
export type Fits = Schemas["Fits"];

/** The role is null until the user confirms it. */
export type Column = Narrow<Schemas["ColumnView"], { role: Role | null; examples: string[]; reason: string }>;

export type DataView = Narrow<Schemas["DataView"], { kind: DataKind | null; columns: Column[]; attributes: Column[] }>;

/** The row's number first, then one value for each column. */
export type Rows = Narrow<Schemas["RowsPage"], { rows: [number, ...string[]][] }>;

/** Bounds are west, south, east, north. */
export type MapView = Narrow<Schemas["MapView"], { system: "degrees" | "plane"; bounds: [number, number, number, number]; features: FeatureCollection }>;
export type GridView = Narrow<Schemas["GridView"], { map: MapView }>;

/** People who went on from one item to another. */
export type Flow = Schemas["FlowView"];

export type TaxonomyNode = Narrow<Schemas["NodeView"], { parent: string | null }>;
