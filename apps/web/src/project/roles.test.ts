import { describe, expect, it } from "vitest";
import type { Role } from "../ui/api/types";
import { ticked } from "./roles";

const columns: { name: string; role: Role | null }[] = [
  { name: "name", role: "identifying" },
  { name: "age", role: "quasi-identifying" },
  { name: "zip", role: "quasi-identifying" },
  { name: "ill", role: "sensitive" },
  { name: "shift", role: "insensitive" },
  { name: "note", role: null },
];

describe("columns that are ticked", () => {
  it("are those that the promise speaks of, until the user says otherwise", () => {
    expect(ticked(columns, null, true)).toEqual(["age", "zip", "ill"]);
    expect(ticked(columns, null, false)).toEqual([]);
  });
  it("are those that the user said, and never one that identifies or has no role", () => {
    expect(ticked(columns, [], true)).toEqual([]);
    expect(ticked(columns, ["shift", "age", "name", "note", "gone"], true)).toEqual(["age", "shift"]);
  });
});
