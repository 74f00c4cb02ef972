// Where the bars of a histogram go. Pure, so that it can be tested without a screen.

import type { Bar, Histogram } from "./types";

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
  bar: Bar;
}

/** Bars side by side, sharing the width equally, one pixel apart where there is room. */
export function columns(histogram: Histogram, width: number, height: number): Rect[] {
  const { bars } = histogram;
  const tallest = Math.max(1, ...bars.map((bar) => bar.count));
  const slot = bars.length > 0 ? width / bars.length : 0;
  const gap = slot > 6 ? 1 : 0;
  return bars.map((bar, i) => {
    const tall = (bar.count / tallest) * height;
    return { x: i * slot + gap / 2, y: height - tall, width: Math.max(0.5, slot - gap), height: tall, bar };
  });
}

/** Which bars carry a label when each label needs `room` pixels: evenly spaced, the first always. */
export function labelled(bars: number, width: number, room: number): number[] {
  if (bars === 0) return [];
  const every = Math.max(1, Math.ceil((bars * room) / Math.max(1, width)));
  return Array.from({ length: Math.ceil(bars / every) }, (_, i) => i * every);
}
