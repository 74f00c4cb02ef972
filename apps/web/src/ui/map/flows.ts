// Who goes on from one place to another, as lines that bend: there and back are two lines, and each bends to the right of its way.

import type { FeatureCollection, Position } from "geojson";
import type { Flow, MapView } from "../api/types";
import { itemOf } from "./atlas";
import { toDegrees } from "./plane";

/** Corners of a bent line. */
const STEPS = 12;

/** A bent line from one point to another. */
export function bent([x1 = 0, y1 = 0]: Position, [x2 = 0, y2 = 0]: Position): Position[] {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const [mx, my] = [(x1 + x2) / 2 + dy * 0.12, (y1 + y2) / 2 - dx * 0.12];
  return Array.from({ length: STEPS + 1 }, (_, i) => {
    const t = i / STEPS;
    const mix = (a: number, m: number, b: number) => (1 - t) ** 2 * a + 2 * t * (1 - t) * m + t ** 2 * b;
    return [mix(x1, mx, x2), mix(y1, my, y2)];
  });
}

/** The flows between places that the map shows. */
export function flowLines(view: MapView, flows: Flow[]): FeatureCollection {
  const turn = toDegrees(view);
  const at = new Map(view.features.features.flatMap((feature) => (feature.geometry.type === "Point" ? [[itemOf(feature), turn(feature.geometry.coordinates)] as const] : [])));
  const most = Math.max(1, ...flows.map((flow) => flow.people));
  return {
    type: "FeatureCollection",
    features: flows.flatMap(({ from, to, people }) => {
      const [a, b] = [at.get(from), at.get(to)];
      return a && b ? [{ type: "Feature", properties: { share: people / most }, geometry: { type: "LineString", coordinates: bent(a, b) } } as const] : [];
    }),
  };
}
