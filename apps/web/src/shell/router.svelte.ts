// The address behind `#` is the only memory of where the user is: it survives reload and can be bookmarked.

import { STEPS, type StepId } from "./registry";

export interface Route {
  project: string | null;
  step: StepId;
  /** What the step looks at, for example a job. */
  detail: string | null;
}

export function parse(hash: string): Route {
  const [, head, project, step, detail] = hash.replace(/^#/, "").split("/").map(decodeURIComponent);
  const known = STEPS.find((candidate) => candidate.id === step);
  if (head !== "p" || !project) return { project: null, step: "start", detail: null };
  return { project, step: known && known.id !== "start" ? known.id : "data", detail: detail || null };
}

export function address(project: string | null, step: StepId, detail?: string | null): string {
  if (!project || step === "start") return "#/";
  return `#/p/${encodeURIComponent(project)}/${step}${detail ? `/${encodeURIComponent(detail)}` : ""}`;
}

class Router {
  current = $state<Route>(parse(location.hash));
  /** Whether the user has gone anywhere since the page was opened. */
  moved = false;

  constructor() {
    window.addEventListener("hashchange", () => {
      this.moved = true;
      this.current = parse(location.hash);
    });
  }

  go(project: string | null, step: StepId, detail?: string | null) {
    location.hash = address(project, step, detail);
  }
}

export const router = new Router();
