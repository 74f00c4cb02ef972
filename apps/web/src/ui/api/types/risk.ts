// What attackers can do.

import type { Schemas } from "./narrow";

export type RiskPoint = Schemas["RiskPointView"];
export type RiskCurve = Schemas["RiskView"];
/** The curve, or how far it is while it is being made. */
export type RiskAnswer = Schemas["RiskAnswer"];
export type PlayAnswer = Schemas["PlayAnswer"];
