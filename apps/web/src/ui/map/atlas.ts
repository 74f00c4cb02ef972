// What a map shows of places that became one: each group gets a look, and every member its mark, so that a shape never
// seems to cover what lies between its places.

import type { Feature, Position } from "geojson";
import type { MapView } from "../api/types";
import { count } from "../words/format";
import { itemWords, membersOf, some } from "../words/reasons";

export const itemOf = (feature: Feature): string => String(feature.properties?.item ?? "");

/** How many places a feature stands for. */
export const sizeOf = (feature: Feature): number => Number(feature.properties?.members ?? 1);

/** The members of a feature, as far as its name tells: the server cuts very long names, and a short name tells none. */
export function listed(feature: Feature): string[] {
  const item = itemOf(feature);
  if (sizeOf(feature) <= 1) return [item];
  if (!item.startsWith("{")) return [];
  return item.endsWith("}") ? membersOf(item) : item.slice(1).split("|").slice(0, -1);
}

/** A feature's name in words. */
export function nameOf(feature: Feature): string {
  const [members, size] = [listed(feature), sizeOf(feature)];
  // A name of its own, as short ones and those of a taxonomy; a cell of many places says how many by itself.
  if (members.length === 0) return /^\d+ places/.test(itemOf(feature)) ? itemOf(feature) : `${itemOf(feature)} (one of ${count(size)})`;
  return members.length === size ? itemWords(itemOf(feature)) : `one of ${count(size)} (${some(members, size)})`;
}

/** Where the members are: told by the server, or known from the map before. */
function positions(feature: Feature, at: Map<string, Position>): Position[] {
  const told = feature.properties?.places as Position[] | undefined;
  const found = told ?? listed(feature).map((member) => at.get(member)).filter((position) => position !== undefined);
  // Either all members are marked or none: with some, the others would seem not to belong to the group.
  return found.length === sizeOf(feature) ? found : [];
}

/** The view with `look` on every feature, and a point for each member of a group. */
export function dressed(view: MapView, places: MapView | null): MapView {
  const at = new Map<string, Position>();
  for (const feature of places?.features.features ?? []) if (feature.geometry.type === "Point") at.set(itemOf(feature), feature.geometry.coordinates);
  let look = 0;
  const features = view.features.features.flatMap((feature): Feature[] => {
    if (sizeOf(feature) <= 1) return [{ ...feature, properties: { ...feature.properties, look: 0 } }];
    const item = itemOf(feature);
    const mine = look++ % 6;
    const { places: _, ...properties } = feature.properties ?? {};
    const points = positions(feature, at).map((position): Feature => ({ type: "Feature", geometry: { type: "Point", coordinates: position }, properties: { item, member: true, look: mine } }));
    return [{ ...feature, properties: { ...properties, look: mine } }, ...points];
  });
  return { ...view, features: { type: "FeatureCollection", features } };
}

/** Where a place or the members of a group are, as far as the feature itself tells. */
function spots({ geometry, properties }: Feature): string[] {
  const told = (properties?.places as Position[] | undefined) ?? (geometry.type === "Point" ? [geometry.coordinates] : []);
  return told.map((position) => position.slice(0, 2).join(" "));
}

/** The items of `view` that share a place with `item` of `from`: its members there, or the group that it belongs to. */
export function counterparts(item: string | null, from: MapView, view: MapView): string[] {
  const picked = item === null ? undefined : from.features.features.find((feature) => itemOf(feature) === item);
  if (!picked) return [];
  const names = new Set(listed(picked));
  // A name that was cut does not identify the item; its position does.
  const places = new Set(spots(picked));
  return view.features.features.filter((other) => listed(other).some((member) => names.has(member)) || spots(other).some((spot) => places.has(spot))).map(itemOf);
}
