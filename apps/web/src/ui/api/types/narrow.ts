// The server's shapes are generated (api-types.ts). Where its description says less than it holds to, a shape is narrowed
// here; a field that the server no longer has is an error of the compiler.

import type { components } from "../../../lib/api-types";

export type Schemas = components["schemas"];

export type Narrow<T, More extends { [K in keyof More]: K extends keyof T ? unknown : never }> = Omit<T, keyof More> & More;
