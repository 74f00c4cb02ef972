// The features of the workbench: every folder of `features` with an `index.ts`, in the order of the rail.

import { AREAS } from "./areas";
import type { Feature } from "./feature";

const found = import.meta.glob<{ default: Feature }>("../features/*/index.ts", { eager: true });

const areaAt = (feature: Feature): number => AREAS.findIndex((area) => area.id === feature.area);

/** By area, then by the order within it. */
export const inOrder = (features: Feature[]): Feature[] => features.toSorted((a, b) => areaAt(a) - areaAt(b) || a.order - b.order);

export const FEATURES: readonly Feature[] = inOrder(Object.values(found).map((module) => module.default));

export const featureOf = (id: string | undefined): Feature | undefined => FEATURES.find((feature) => feature.id === id);

function firstOf(scope: Feature["scope"]): Feature {
  const first = FEATURES.find((feature) => feature.scope === scope);
  if (!first) throw new Error(`no feature has the scope \`${scope}\``);
  return first;
}

/** The screen of the address `#/`. */
export const HOME = firstOf("workbench");

/** The first screen of a project. */
export const ENTRANCE = firstOf("project");
