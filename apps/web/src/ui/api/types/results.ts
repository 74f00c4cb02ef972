// What came of a job.

import type { MapView } from "./data";
import type { Narrow, Schemas } from "./narrow";

export type Manifest = Schemas["Manifest"];
export type Suppression = Schemas["Suppression"];
/** A step of the method and the pattern that forced it. */
export type Reason = Schemas["AnonymizeResult"]["reasons"]["first"][number];
/** Of a column of a table, or of the items of sets. */
export type Frequencies = Schemas["Frequencies"];
export type AnonymizeResult = Narrow<Schemas["AnonymizeResult"], { map_before: MapView | null; map_after: MapView | null; seconds: [string, number][] }>;
/** What attackers can do who know all columns of a person. */
export type TableRisk = Schemas["TableRisk"];
/** Some records before and after: items, or the cells of `columns`. */
export type Samples = Schemas["Samples"];
/** Rows of a released table. */
export type ReleaseRows = Schemas["ReleaseRows"];
/** Members of a released item that stands for many. */
export type MembersPage = Schemas["MembersPage"];
/** The answer of a measure that was asked for after the run. */
export type Measured = Schemas["Measured"];
export type CompareCell = Schemas["CompareCell"];
export type CompareResult = Schemas["CompareResult"];
export type RecommendResult = Schemas["RecommendResult"];

/** What changed in the data since a release was made. */
export type Differences = Schemas["Differences"];
export type ChecklistPoint = Schemas["ChecklistPoint"];
export type ReleaseFile = Schemas["FileView"];
export type Published = Schemas["Published"];
/** What the ledger of earlier releases says about one. */
export type LedgerView = Schemas["LedgerView"];
export type EarlierRelease = Schemas["EarlierView"];
