// What attackers can do.

import type { Schemas } from "./narrow";

export type RiskPoint = Schemas["RiskPointView"];
export type RiskCurve = Schemas["RiskView"];
/** The curve, or the progress while it is being computed. */
export type RiskAnswer = Schemas["RiskAnswer"];
export type PlayAnswer = Schemas["PlayAnswer"];
