// Addresses of screens: `#/p/PROJECT/FEATURE/DETAIL` in a project, `#/FEATURE/DETAIL` outside one, `#/` for the first screen.

import { ENTRANCE, featureOf, HOME } from "./registry";

export interface Route {
  project: string | null;
  /** The id of a registered feature. */
  step: string;
  /** What the screen looks at, for example a job. */
  detail: string | null;
}

/** A part of an address that was typed by hand may hold a lone `%`. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function parse(hash: string): Route {
  const [, head, ...rest] = hash.replace(/^#/, "").split("/").map(decoded);
  const [project, word, detail] = rest;
  if (head === "p" && project) {
    const feature = featureOf(word);
    return { project, step: feature?.scope === "project" ? feature.id : ENTRANCE.id, detail: detail || null };
  }
  const feature = featureOf(head);
  if (feature?.scope !== "workbench") return { project: null, step: HOME.id, detail: null };
  return { project: null, step: feature.id, detail: rest[0] || null };
}

export function address(project: string | null, step: string, detail?: string | null): string {
  const feature = featureOf(step);
  const tail = detail ? `/${encodeURIComponent(detail)}` : "";
  if (feature?.scope === "workbench" && feature !== HOME) return `#/${feature.id}${tail}`;
  if (!project || feature?.scope !== "project") return "#/";
  return `#/p/${encodeURIComponent(project)}/${feature.id}${tail}`;
}
