// What the server says: generated shapes where its description has them, the rest by hand.

export * from "./types/catalogue";
export * from "./types/data";
export * from "./types/patterns";
export * from "./types/risk";
export * from "./types/jobs";
export * from "./types/results";
export type { Schemas } from "./types/narrow";
