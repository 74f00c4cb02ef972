// The rows of a release of chunks, grouped by cluster, and in it by chunk.

import type { ReleaseRows } from "../api/types";

export interface Chunk {
  chunk: string;
  kind: string;
  /** What belongs together, each in words. */
  parts: string[];
}
export interface ClusterRows {
  cluster: string;
  /** How many people are in it, where the table says so. */
  people: string;
  chunks: Chunk[];
}

/** The rows by cluster; null for a table that has no clusters. */
export function clustered({ columns, rows }: Pick<ReleaseRows, "columns" | "rows">): ClusterRows[] | null {
  const at = (...names: string[]) => columns.findIndex((column) => names.includes(column));
  const [cluster, chunk, kind, people, part, item] = [at("cluster"), at("chunk"), at("kind"), at("people", "size"), at("part", "record"), at("item", "items")];
  if (cluster < 0 || chunk < 0 || item < 0) return null;
  /** What is under a key, made when it is not there. */
  const under = <V>(map: Map<string, V>, key: string, made: () => V): V => {
    const known = map.get(key) ?? made();
    map.set(key, known);
    return known;
  };
  const found = new Map<string, { people: string; chunks: Map<string, { kind: string; parts: Map<string, string[]> }> }>();
  const cell = (row: string[], column: number) => (column < 0 ? "" : (row[column] ?? ""));
  rows.forEach((row, number) => {
    const group = under(found, cell(row, cluster), () => ({ people: cell(row, people), chunks: new Map() }));
    const one = under(group.chunks, cell(row, chunk), () => ({ kind: cell(row, kind), parts: new Map() }));
    under(one.parts, part < 0 ? String(number) : cell(row, part), (): string[] => []).push(cell(row, item));
  });
  return [...found].map(([name, group]) => ({
    cluster: name,
    people: group.people,
    chunks: [...group.chunks].map(([number, one]) => ({ chunk: number, kind: one.kind, parts: [...one.parts.values()].map((items) => items.join(" + ")) })),
  }));
}
