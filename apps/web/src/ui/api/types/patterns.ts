// What patterns the data have.

import type { Schemas } from "./narrow";

export type Pattern = Schemas["PatternView"];
/** Patterns, or how far the search is. */
export type PatternsAnswer = Schemas["PatternsAnswer"];
