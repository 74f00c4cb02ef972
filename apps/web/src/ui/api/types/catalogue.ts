// What the program offers.

import type { Schemas } from "./narrow";

export type ParamKind = Schemas["ParamKind"];
export type Param = Schemas["Param"];
export type Scale = Schemas["Scale"];
export type DataKind = Schemas["DataKind"];
export type Descriptor = Schemas["Descriptor"];
export type World = Schemas["WorldEntry"];
export type Preset = Schemas["Preset"];
export type Catalogue = Schemas["Catalogue"];
export type Session = Schemas["Session"];

/** The flag is also the name in `/inputs/{input}`. */
export type InputKind = Schemas["InputEntry"];

/** Values as a person would type them. */
export type Settings = Record<string, string>;
