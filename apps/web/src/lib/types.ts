// What the server says, as the OpenAPI description at /api/openapi.json has it.

export * from "./types/catalogue";
export * from "./types/data";
export * from "./types/risk";
export * from "./types/jobs";
export * from "./types/results";
