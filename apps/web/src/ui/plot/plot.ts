// What the plots share: looks that differ in colour, dash and mark, so that no curve is told by colour alone.

import { exactPercent, percent } from "../words/format";

export interface Point {
  x: number;
  y: number | null;
  low?: number | null;
  high?: number | null;
}

export interface Series {
  name: string;
  points: Point[];
  /** Index of its look; the same method looks the same in every plot. */
  look: number;
}

export const LOOKS = 6;

const MARKS: ((r: number) => string)[] = [
  (r) => `M${-r},${-r}L${r},${-r}L${r},${r}L${-r},${r}Z`,
  (r) => `M0,${-r * 1.35}L${r * 1.35},0L0,${r * 1.35}L${-r * 1.35},0Z`,
  (r) => `M0,${-r * 1.25}L${r * 1.2},${r}L${-r * 1.2},${r}Z`,
  (r) => `M${-r},${-r}L${r},${-r}L0,${r * 1.25}Z`,
  (r) => `M${-r * 1.3},${-r * 0.5}L${r * 1.3},${-r * 0.5}L${r * 1.3},${r * 0.5}L${-r * 1.3},${r * 0.5}Z`,
  (r) => `M${-r * 0.5},${-r * 1.3}L${r * 0.5},${-r * 1.3}L${r * 0.5},${r * 1.3}L${-r * 0.5},${r * 1.3}Z`,
];

/** The mark of a look around the origin. */
export const mark = (look: number, r = 3.5): string => (MARKS[look % LOOKS] ?? MARKS[0]!)(r);

/** The x in `xs` next to `at`. */
export function nearest(xs: number[], at: number): number | null {
  let best: number | null = null;
  for (const x of xs) if (best === null || Math.abs(x - at) < Math.abs(best - at)) best = x;
  return best;
}

/** All x of all series, sorted, each once. */
export function allX(series: Series[]): number[] {
  return [...new Set(series.flatMap((one) => one.points.map((point) => point.x)))].sort((a, b) => a - b);
}

/** Lowest and highest y, intervals included; a flat curve still gets room. */
export function extent(series: Series[], fixed: { min?: number; max?: number } = {}): [number, number] {
  const ys = series.flatMap((one) => one.points.flatMap((point) => [point.y, point.low, point.high])).filter((y) => y !== null && y !== undefined && Number.isFinite(y)) as number[];
  let low = fixed.min ?? Math.min(0, ...ys);
  let high = fixed.max ?? Math.max(...ys, low);
  if (high - low < 1e-12) high = low + (Math.abs(low) || 1);
  return [low, high];
}

/** A plot's numbers as a table: x first, a column for each series. */
export function tableOf(series: Series[], xLabel: string): { columns: string[]; rows: (number | null)[][] } {
  const rows = allX(series).map((x) => [x, ...series.map((one) => one.points.find((point) => point.x === x)?.y ?? null)]);
  return { columns: [xLabel, ...series.map((one) => one.name)], rows };
}

export interface LegendEntry {
  name: string;
  /** What stands in the legend. */
  text: string;
  look: number;
  x: number;
  y: number;
}

/** Height of a line of the legend. */
export const LEGEND_LINE = 18;

/** Where the names go, in as many lines as the width asks for. Letters are taken as wide as they usually are. A curve without a point says so. */
export function legend(series: { name: string; look: number; points?: Point[] }[], width: number): { entries: LegendEntry[]; height: number } {
  let [x, line] = [2, 0];
  const entries = series.map(({ name, look, points }) => {
    const text = points?.every((point) => point.y === null) ? `${name}: no result` : name;
    const room = 32 + 7 * text.length + 16;
    if (x > 2 && x + room > width) [x, line] = [2, line + 1];
    const entry = { name, text, look, x, y: 9 + line * LEGEND_LINE };
    x += room;
    return entry;
  });
  return { entries, height: (line + 1) * LEGEND_LINE };
}

/** A text cut to a width, with letters as wide as they usually are. */
export function fitted(text: string, width: number): string {
  const room = Math.max(4, Math.floor((width - 8) / 6.2));
  return text.length <= room ? text : `${text.slice(0, room - 1).trimEnd()}…`;
}

/** How an axis writes its numbers: as the plot does, but never two of them alike. */
export const axisText = (text: (value: number) => string): ((value: number) => string) => (text === percent ? exactPercent : text);
