// Where the parts of a drawn pattern go: sequences and sets one below the other, subgraphs around a circle.

import type { Pattern } from "../../ui/api/types";

export const CELL = { width: 196, radius: 7, row: 24, ring: 46, head: 22 };

export interface Drawn {
  /** Where their labels go: beside, above or below. */
  nodes: { x: number; y: number; label: string; side: "beside" | "above" | "below" }[];
  lines: { x1: number; y1: number; x2: number; y2: number }[];
  /** Tips of arrows. */
  tips: string[];
  /** What a set lies in. */
  frame: { x: number; y: number; width: number; height: number } | null;
  height: number;
}

type Point = [number, number];

/** The line between two nodes, from rim to rim. */
function between([ax, ay]: Point, [bx, by]: Point, shift: number) {
  const length = Math.hypot(bx - ax, by - ay) || 1;
  const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
  const [sx, sy] = [-uy * shift, ux * shift];
  const r = CELL.radius;
  return { x1: ax + ux * r + sx, y1: ay + uy * r + sy, x2: bx - ux * (r + 2) + sx, y2: by - uy * (r + 2) + sy };
}

function tip({ x1, y1, x2, y2 }: { x1: number; y1: number; x2: number; y2: number }): string {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const at = (back: number, aside: number) => `${(x2 - ux * back - uy * aside).toFixed(1)},${(y2 - uy * back + ux * aside).toFixed(1)}`;
  return `M${x2.toFixed(1)},${y2.toFixed(1)}L${at(6, 3)}L${at(6, -3)}Z`;
}

/** One below the other; with arrows where order counts, in a frame where it does not. */
function listed(pattern: Pattern, directed: boolean): Drawn {
  const points = pattern.nodes.map((_, i): Point => [18, CELL.head + 14 + i * CELL.row]);
  const lines = directed ? points.slice(1).map((point, i) => between(points[i]!, point, 0)) : [];
  const height = CELL.head + 14 + pattern.nodes.length * CELL.row;
  return {
    nodes: points.map(([x, y], i) => ({ x, y, label: pattern.nodes[i]!, side: "beside" })),
    lines,
    tips: lines.map(tip),
    frame: directed ? null : { x: 4, y: CELL.head, width: CELL.width - 16, height: pattern.nodes.length * CELL.row + 4 },
    height,
  };
}

/** Around a circle, the first node on top; two nodes stand side by side. */
function ringed(pattern: Pattern, directed: boolean): Drawn {
  const count = pattern.nodes.length;
  const ring = count === 2 ? 0 : CELL.ring;
  const middle = CELL.head + 26 + ring;
  const points = pattern.nodes.map((_, i): Point => {
    const turn = (2 * Math.PI * i) / count - (count === 2 ? Math.PI : Math.PI / 2);
    return [CELL.width / 2 - 6 + Math.cos(turn) * CELL.ring * 1.25, middle + Math.sin(turn) * ring];
  });
  const lines = pattern.edges.map(([from, to]) => {
    // There and back are two lines beside each other.
    const back = pattern.edges.some(([a, b]) => a === to && b === from);
    return between(points[from!]!, points[to!]!, directed && back ? 3 : 0);
  });
  return {
    nodes: points.map(([x, y], i) => ({ x, y, label: pattern.nodes[i]!, side: y < middle - 1 ? "above" : "below" })),
    lines,
    tips: directed ? lines.map(tip) : [],
    frame: null,
    height: middle + ring + 26,
  };
}

/** Where everything of a pattern goes, from its own corner. */
export const drawn = (pattern: Pattern, directed: boolean): Drawn => (pattern.edges.length > 0 ? ringed(pattern, directed) : listed(pattern, directed));

/** In one line of text. */
export function inWords(pattern: Pattern, directed: boolean): string {
  if (pattern.edges.length === 0) return pattern.nodes.join(directed ? " → " : ", ");
  const name = (i: number) => `${pattern.nodes[i]} (${i + 1})`;
  return pattern.edges.map(([from, to]) => `${name(from!)} ${directed ? "→" : "–"} ${name(to!)}`).join(", ");
}

/** Items, or edges of a subgraph. */
export const sizeOf = (pattern: Pattern): number => pattern.edges.length || pattern.nodes.length;

/** The patterns that all words occur in, and that are large enough; the best supported or the largest first. */
export function chosen(patterns: Pattern[], search: string, least: number, largest: boolean): Pattern[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (pattern: Pattern) => sizeOf(pattern) >= least && words.every((word) => pattern.nodes.some((node) => node.toLowerCase().includes(word)));
  const found = patterns.filter(fits);
  return largest ? found.toSorted((a, b) => sizeOf(b) - sizeOf(a) || b.support - a.support) : found;
}
