// From the cells of a sweep to curves and a table.

import type { CompareResult, Descriptor, Param, Scale } from "../../ui/api/types";
import type { Series } from "../../ui/plot/plot";
import { isRisk } from "../../ui/words/scales";
import type { Dot } from "./ScatterPlot.svelte";

/** Parameters that all chosen methods share and that can vary along an axis. */
export function variable(methods: Descriptor[]): Param[] {
  const [first, ...others] = methods;
  if (!first) return [];
  const numeric = (param: Param) => ["integer", "integerormax", "number", "share"].includes(param.kind.type);
  return first.params.filter((param) => numeric(param) && others.every((other) => other.params.some((one) => one.name === param.name && numeric(one))));
}

/** A sensible range to begin with. */
export function firstRange(param: Param): { from: number; to: number; step: number } {
  const { kind } = param;
  if (kind.type === "share") return { from: 0.2, to: 1, step: 0.2 };
  if (kind.type === "number") return { from: Math.max(kind.min, 0.5), to: Math.min(kind.max, 2.5), step: 0.5 };
  if (kind.type === "integer" || kind.type === "integerormax") {
    if (kind.max <= 20) return { from: kind.min, to: Math.min(kind.max, kind.min + 2), step: 1 };
    return { from: Math.max(kind.min, 5), to: Math.min(kind.max, 25), step: 5 };
  }
  return { from: 1, to: 3, step: 1 };
}

export const methodsOf = (result: CompareResult): string[] => [...new Set(result.cells.map((cell) => cell.method))];

/** How far repeated runs are apart, where there are several. */
const endsOf = (cell: CompareResult["cells"][number], scale: string): { low?: number; high?: number } => {
  const [low, high] = (cell.spread[scale] as [number, number] | undefined) ?? [];
  return low !== undefined && high !== undefined ? { low, high } : {};
};

export function seriesOf(result: CompareResult, scale: string): Series[] {
  return methodsOf(result).map((method, look) => ({
    name: method,
    look,
    points: result.cells
      .filter((cell) => cell.method === method && !Number.isNaN(Number(cell.x)))
      .map((cell) => ({ x: Number(cell.x), ...(cell.state === "done" ? { y: cell.values[scale] ?? null, ...endsOf(cell, scale) } : { y: null }) }))
      .sort((a, b) => a.x - b.x),
  }));
}

/** Scales that have at least one number, in the order given. */
export function drawn(result: CompareResult): Scale[] {
  return result.scales.filter((scale) => result.cells.some((cell) => typeof cell.values[scale.name] === "number"));
}

export function dotsOf(result: CompareResult, x: string, y: string): Dot[] {
  const looks = methodsOf(result);
  return result.cells.flatMap((cell) => {
    const [dx, dy] = [cell.values[x], cell.values[y]];
    if (cell.state !== "done" || typeof dx !== "number" || typeof dy !== "number") return [];
    return [{ group: cell.method, look: looks.indexOf(cell.method), label: `${result.param} = ${cell.x}`, key: Number(cell.x), x: dx, y: dy }];
  });
}

/** The plots to begin with: the most telling number of each measure that tells the runs apart, the risk and the time. */
export function firstPlots(result: CompareResult, measures: Descriptor[]): string[] {
  const there = drawn(result).map((scale) => scale.name);
  const varies = (name: string) => new Set(result.cells.map((cell) => cell.values[name]).filter((value) => typeof value === "number")).size > 1;
  const telling = measures
    .map((measure) => measure.gauge?.scales.map((scale) => scale.name).find((name) => there.includes(name) && varies(name)))
    .filter((name) => name !== undefined);
  const utility = telling.length > 0 ? telling : there.filter((name) => !isRisk(name) && name !== "seconds");
  // What the user asked queries for is always among them.
  const asked = measures.filter((measure) => measure.needs.some((need) => need.input === "queries")).flatMap((measure) => measure.gauge?.scales.map((scale) => scale.name).find((name) => there.includes(name)) ?? []);
  return [...new Set([...utility.slice(0, 3), ...asked.slice(0, 1)]), ...there.filter(isRisk).slice(0, 1), ...there.filter((name) => name === "seconds")];
}

export interface Gap {
  method: string;
  /** Values of the varying parameter without a result. */
  at: string[];
  /** Whether no value gave one. */
  none: boolean;
  /** Whether there are numbers, of releases that break their promise. */
  broken: boolean;
  why: string;
}

/** Runs without a result, those of one method with one reason together. */
export function gaps(result: CompareResult): Gap[] {
  const found: Gap[] = [];
  for (const cell of result.cells) {
    if (cell.state === "done" || cell.state === "waiting") continue;
    const why = cell.problem ?? (cell.state === "timed-out" ? "it took too long" : "no reason was given");
    const broken = cell.state === "broken";
    const same = found.find((gap) => gap.method === cell.method && gap.why === why && gap.broken === broken);
    if (same) same.at.push(cell.x);
    else found.push({ method: cell.method, at: [cell.x], none: result.cells.every((other) => other.method !== cell.method || !["done", "waiting"].includes(other.state)), broken, why });
  }
  return found;
}
