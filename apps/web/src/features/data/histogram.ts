// Where the bars of a histogram go. Pure, so that it can be tested without a screen.

import type { Bar, Histogram } from "../../ui/api/types";

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
  bar: Bar;
}

/** The ends of all ranges, or null where a bar is a value and no range. */
function ends(bars: Bar[]): [number, number][] | null {
  const ranges = bars.map(({ from, to }) => [from, to]);
  return bars.length > 0 && ranges.every(([from, to]) => from != null && to != null && to > from) ? (ranges as [number, number][]) : null;
}

/** Whether some range is wider than others: its bar then shows how much there is for each unit, so that areas compare. */
export function unequal({ bars }: Histogram): boolean {
  const ranges = ends(bars);
  if (!ranges) return false;
  const widths = ranges.map(([from, to]) => to - from);
  return Math.max(...widths) > Math.min(...widths) * 1.001;
}

/** How tall each bar is, in the units of the axis. */
export function heights(histogram: Histogram): number[] {
  if (!unequal(histogram)) return histogram.bars.map((bar) => bar.count);
  return histogram.bars.map((bar) => bar.count / ((bar.to ?? 1) - (bar.from ?? 0)));
}

/** Bars side by side, one pixel apart where there is room: ranges as wide as they are, values sharing the width equally. */
export function columns(histogram: Histogram, width: number, height: number): Rect[] {
  const { bars } = histogram;
  const tall = heights(histogram);
  const tallest = Math.max(Number.MIN_VALUE, ...tall);
  const ranges = ends(bars);
  const [low, high] = ranges ? [Math.min(...ranges.map(([from]) => from)), Math.max(...ranges.map(([, to]) => to))] : [0, bars.length];
  const scale = width / Math.max(Number.MIN_VALUE, high - low);
  return bars.map((bar, i) => {
    const [from, to] = ranges?.[i] ?? [i, i + 1];
    const slot = (to - from) * scale;
    const gap = slot > 6 ? 1 : 0;
    const up = ((tall[i] ?? 0) / tallest) * height;
    return { x: (from - low) * scale + gap / 2, y: height - up, width: Math.max(0.5, slot - gap), height: up, bar };
  });
}

/** Which bars carry a label when each label needs `room` pixels: evenly spaced, the first always. */
export function labelled(bars: number, width: number, room: number): number[] {
  if (bars === 0) return [];
  const every = Math.max(1, Math.ceil((bars * room) / Math.max(1, width)));
  return Array.from({ length: Math.ceil(bars / every) }, (_, i) => i * every);
}

/** The bars that carry a label where bars differ in width: from the left, wherever there is room again. */
export function labelledApart(rects: Rect[], room: number): number[] {
  let free = Number.NEGATIVE_INFINITY;
  return rects.flatMap(({ x, width }, i) => {
    const middle = x + width / 2;
    if (middle - room / 2 < free) return [];
    free = middle + room / 2;
    return [i];
  });
}
