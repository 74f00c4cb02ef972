// A map as an SVG file: the shapes where the screen shows them now, with its scale and sizes, in light colours.

import type { Feature, Position } from "geojson";
import { GROUND, HEAD } from "../export/svg";

export interface Picture {
  title: string;
  width: number;
  height: number;
  features: Feature[];
  flows: Feature[];
  /** From degrees to pixels. */
  project: (at: Position) => [number, number];
  radius: (people: number) => number;
  colours: { fill: string; looks: string[] };
  scale: { width: number; text: string } | null;
  sizes: { radius: number; text: string }[];
}

/** Edges of groups, in widths of the line: neighbours differ in the dash too. A dash means nothing else on a map. */
export const DASHES = [[4, 2], [1.5, 1.5], [7, 2, 1.5, 2]];

const INK = "#17212b";
const escape = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const n = (value: number): string => String(Number(value.toFixed(1)));

const text = (x: number, y: number, words: string, more = ""): string => `<text x="${n(x)}" y="${n(y)}" font-family="sans-serif" font-size="12" fill="${INK}"${more}>${escape(words)}</text>`;

export function pictureOf(picture: Picture): string {
  const { width, height, project, colours } = picture;
  const path = (positions: Position[]) => positions.map((at, i) => `${i === 0 ? "M" : "L"}${project(at).map(n).join(",")}`).join("");
  const shape = ({ geometry, properties }: Feature): string => {
    const look = colours.looks[Number(properties?.look ?? 0)] ?? colours.fill;
    const edge = ` stroke-dasharray="${DASHES[Number(properties?.look ?? 0) % DASHES.length]?.map((part) => n(1.8 * part)).join(" ")}"`;
    if (geometry.type === "Point") {
      const [x, y] = project(geometry.coordinates);
      const [r, fill] = properties?.member ? [3, look] : [picture.radius(Number(properties?.people ?? 0)), colours.fill];
      return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${fill}" fill-opacity="${properties?.member ? 1 : 0.55}" stroke="#ffffff"/>`;
    }
    if (geometry.type === "LineString") return `<path d="${path(geometry.coordinates)}" fill="none" stroke="${look}" stroke-width="1.8"${edge}/>`;
    if (geometry.type === "Polygon") return `<path d="${geometry.coordinates.map((ring) => `${path(ring)}Z`).join("")}" fill="${look}" fill-opacity="0.2" stroke="${look}" stroke-width="1.8"${edge}/>`;
    return "";
  };
  const flow = ({ geometry, properties }: Feature): string => (geometry.type === "LineString" ? `<path d="${path(geometry.coordinates)}" fill="none" stroke="${colours.looks[1]}" stroke-opacity="0.65" stroke-width="${n(0.8 + 5 * Number(properties?.share ?? 0))}"/>` : "");
  // Groups below, places above, as on the screen.
  const order = (feature: Feature) => (feature.geometry.type === "Point" ? 1 : 0);
  const foot = 34;
  let x = 10;
  const sizes = picture.sizes.map(({ radius, text: words }) => {
    const drawn = `<circle cx="${n(x + radius)}" cy="${n(height + foot / 2)}" r="${n(radius)}" fill="${colours.fill}" fill-opacity="0.55"/>${text(x + 2 * radius + 5, height + foot / 2 + 4, words)}`;
    x += 2 * radius + 20 + 7 * words.length;
    return drawn;
  });
  const scale = picture.scale
    ? `<path d="M${n(width - 10 - picture.scale.width)},${height + 14}v6h${n(picture.scale.width)}v-6" fill="none" stroke="${INK}" stroke-width="1.5"/>${text(width - 16 - picture.scale.width, height + 20, picture.scale.text, ' text-anchor="end"')}`
    : "";
  const all = height + HEAD + foot;
  return [
    `<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${all}" viewBox="0 ${-HEAD} ${width} ${all}">`,
    `<rect y="${-HEAD}" width="${width}" height="${all}" fill="${GROUND}"/>`,
    `<text x="2" y="${18 - HEAD}" font-family="sans-serif" font-size="15" font-weight="650" fill="${INK}">${escape(picture.title)}</text>`,
    `<svg width="${width}" height="${height}">${[...picture.features].sort((a, b) => order(a) - order(b)).map(shape).join("")}${picture.flows.map(flow).join("")}</svg>`,
    ...sizes,
    scale,
    "</svg>\n",
  ].join("");
}
