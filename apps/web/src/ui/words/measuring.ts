// How far things on a map are apart, and which round length a scale bar shows.

import type { MapView } from "../api/types";

/** Metres between two positions in degrees, on a sphere. */
export function metres([east, north]: readonly [number, number], [east2, north2]: readonly [number, number]): number {
  const radians = Math.PI / 180;
  const [a, b] = [north * radians, north2 * radians];
  const half = Math.sin((b - a) / 2) ** 2 + Math.cos(a) * Math.cos(b) * Math.sin(((east2 - east) * radians) / 2) ** 2;
  return 2 * 6_371_008.8 * Math.asin(Math.min(1, Math.sqrt(half)));
}

/** The longest of 1, 2 and 5 times a power of ten that is not above `most`. */
export function round(most: number): number {
  if (!(most > 0) || !Number.isFinite(most)) return 0;
  const power = 10 ** Math.floor(Math.log10(most));
  return power * ([5, 2, 1].find((step) => step * power <= most) ?? 1);
}

/** `350 m`, `1.2 km`. */
export function distance(length: number): string {
  if (length >= 1000) return `${Number((length / 1000).toPrecision(3))} km`;
  return `${Number(length.toPrecision(3))} m`;
}

/** A length on a map in its own units: a plane has no name for them. */
export const lengthText = (view: Pick<MapView, "system">, length: number): string => (view.system === "degrees" ? distance(length) : `${Number(length.toPrecision(3))} units`);

/** The usual side (1, 2 or 5 times a power of ten) after this one: `500m` is followed by `1km`. Empty where there is no such text. */
export function nextSide(text: string, direction: 1 | -1): string {
  const [, number, unit = ""] = /^\s*([\d.]+(?:e[+-]?\d+)?)\s*(m|km|)\s*$/i.exec(text) ?? [];
  const side = Number(number) * (unit === "km" ? 1000 : 1);
  if (!(side > 0) || !Number.isFinite(side)) return "";
  const power = 10 ** Math.floor(Math.log10(side));
  const usual = [0.2, 0.5, 1, 2, 5, 10, 20].map((step) => Number((step * power).toPrecision(1)));
  // A usual side is not its own neighbour, however it was rounded.
  const next = (direction > 0 ? usual.find((n) => n > side * 1.000_001) : usual.findLast((n) => n < side * 0.999_999)) ?? side;
  if (unit === "") return String(next);
  return next >= 1000 ? `${next / 1000}km` : `${next}m`;
}
