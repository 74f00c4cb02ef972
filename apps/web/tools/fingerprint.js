// A fingerprint of the shapes in an OpenAPI description: the same shapes give the same one, in whatever order they come.

import { createHash } from "node:crypto";

const sorted = (value) =>
  Array.isArray(value) ? value.map(sorted)
  : value !== null && typeof value === "object" ? Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]))
  : value;

export const fingerprint = (description) => createHash("sha256").update(JSON.stringify(sorted(description.components.schemas))).digest("hex").slice(0, 16);
