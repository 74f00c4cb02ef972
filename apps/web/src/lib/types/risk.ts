// What attackers can do.

import type { Schemas } from "./narrow";

export type RiskPoint = Schemas["RiskPointView"];
export type RiskCurve = Schemas["RiskView"];
export type PlayAnswer = Schemas["PlayAnswer"];
