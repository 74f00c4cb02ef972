// The map library thinks in degrees. Places on a plane are laid around the equator, small enough that nothing is bent.

import type { FeatureCollection, Geometry } from "geojson";
import type { MapView } from "../api/types";

type Position = number[];

/** Side of the square, in degrees, onto which a plane is laid. */
const SIDE = 1;

export function toDegrees(view: MapView): (at: Position) => Position {
  if (view.system === "degrees") return (at) => at;
  const [west, south, east, north] = view.bounds;
  const scale = SIDE / Math.max(east - west, north - south, Number.MIN_VALUE);
  const middle = [(west + east) / 2, (south + north) / 2] as const;
  return ([x = 0, y = 0]) => [(x - middle[0]) * scale, (y - middle[1]) * scale];
}

function walk(coordinates: unknown, turn: (at: Position) => Position): unknown {
  if (!Array.isArray(coordinates)) return coordinates;
  if (typeof coordinates[0] === "number") return turn(coordinates as Position);
  return coordinates.map((inner) => walk(inner, turn));
}

/** The features with every position in degrees. */
export function features(view: MapView): FeatureCollection {
  const turn = toDegrees(view);
  return {
    type: "FeatureCollection",
    features: view.features.features.map((feature) => {
      const { geometry } = feature;
      if (!geometry || geometry.type === "GeometryCollection") return feature;
      return { ...feature, geometry: { ...geometry, coordinates: walk(geometry.coordinates, turn) } as Geometry };
    }),
  };
}

export function bounds(view: MapView): [number, number, number, number] {
  const turn = toDegrees(view);
  const [west = 0, south = 0] = turn([view.bounds[0], view.bounds[1]]);
  const [east = 0, north = 0] = turn([view.bounds[2], view.bounds[3]]);
  return [west, south, east, north];
}
