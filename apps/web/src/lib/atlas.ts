// What a map shows of places that became one: each group gets a look, and every member its mark, so that a shape never
// seems to cover what lies between its places.

import type { Feature, Position } from "geojson";
import { membersOf } from "./reasons";
import type { MapView } from "./types";

export const itemOf = (feature: Feature): string => String(feature.properties?.item ?? feature.properties?.label ?? feature.properties?.name ?? "");

/** The view with `look` on every feature, and a point for each member of a group whose position is known. */
export function dressed(view: MapView, places: MapView | null): MapView {
  const at = new Map<string, Position>();
  for (const feature of places?.features.features ?? []) if (feature.geometry.type === "Point") at.set(itemOf(feature), feature.geometry.coordinates);
  let look = 0;
  const features = view.features.features.flatMap((feature): Feature[] => {
    const item = itemOf(feature);
    const members = membersOf(item);
    if (members.length === 1) return [{ ...feature, properties: { ...feature.properties, look: 0 } }];
    const mine = look++ % 6;
    const points = members.flatMap((member): Feature[] => {
      const position = at.get(member);
      return position ? [{ type: "Feature", geometry: { type: "Point", coordinates: position }, properties: { item, member, look: mine } }] : [];
    });
    return [{ ...feature, properties: { ...feature.properties, look: mine } }, ...points];
  });
  return { ...view, features: { type: "FeatureCollection", features } };
}

/** The items of `view` that share a place with `item`: its members there, or the group that it belongs to. */
export function counterparts(item: string | null, view: MapView): string[] {
  if (item === null) return [];
  const wanted = new Set(membersOf(item));
  return view.features.features.map(itemOf).filter((other) => membersOf(other).some((member) => wanted.has(member)));
}
