import { describe, expect, it } from "vitest";
import { CELL, chosen, drawn, inWords, sizeOf } from "./patterns";

const route = { nodes: ["home", "work", "home"], edges: [], support: 12 };
const triangle = { nodes: ["inn", "bar", "inn"], edges: [[0, 1], [1, 0], [1, 2]], support: 5 };

describe("drawn patterns", () => {
  it("a sequence goes down with an arrow between any two, a set has a frame instead", () => {
    const sequence = drawn(route, true);
    expect(sequence.lines.length).toBe(2);
    expect(sequence.tips.length).toBe(2);
    expect(sequence.frame).toBeNull();
    const set = drawn(route, false);
    expect(set.lines).toEqual([]);
    expect(set.frame).not.toBeNull();
    expect(set.nodes.every((node) => node.y < set.height)).toBe(true);
  });
  it("nodes of a subgraph stay inside, and there and back do not lie on each other", () => {
    const drawing = drawn(triangle, true);
    for (const { x, y } of drawing.nodes) {
      expect(x).toBeGreaterThan(0);
      expect(x).toBeLessThan(CELL.width);
      expect(y).toBeLessThan(drawing.height);
    }
    const [there, back] = drawing.lines;
    expect(there!.x1).not.toBeCloseTo(back!.x2, 3);
    expect(drawn(triangle, false).tips).toEqual([]);
  });
  it("is told in words", () => {
    expect(inWords(route, true)).toBe("home → work → home");
    expect(inWords(route, false)).toBe("home, work, home");
    expect(inWords(triangle, true)).toBe("inn (1) → bar (2), bar (2) → inn (1), bar (2) → inn (3)");
  });
});

describe("filters", () => {
  it("every word must occur, sizes count edges of subgraphs", () => {
    expect(sizeOf(triangle)).toBe(3);
    expect(chosen([route, triangle], "BAR in", 0, false)).toEqual([triangle]);
    expect(chosen([route, triangle], "", 4, false)).toEqual([]);
    const pair = { nodes: ["a", "b"], edges: [], support: 90 };
    expect(chosen([pair, route], "", 0, true)).toEqual([route, pair]);
  });
});
