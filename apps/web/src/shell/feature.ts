// What a feature says of itself. Each `features/NAME/index.ts` exports one of these; the registry finds it there.

import { createContext, type Component } from "svelte";
import type { ProjectState } from "../project/project.svelte";
import type { AreaId } from "./areas";

/** The state of a step, as the rail shows it. */
export type StepState = "open" | "done" | "attention" | "busy";

interface Description {
  /** The name of the feature's folder, and its word in addresses. */
  id: string;
  area: AreaId;
  title: string;
  /** One sentence under the title: what the screen is for. */
  lead: string;
  /** A line drawing as an SVG path in a square of 20 by 20. */
  icon: string;
  /** The place within the area; lower comes first. */
  order: number;
  /** What the rail shows while a project is open. */
  state: (project: ProjectState) => StepState;
}

/** A screen about the open project. It is shown as soon as the project's data are read. */
export interface ProjectFeature extends Description {
  scope: "project";
  load: () => Promise<{ default: Component<{ project: ProjectState }> }>;
}

/** A screen that needs no project. */
export interface WorkbenchFeature extends Description {
  scope: "workbench";
  load: () => Promise<{ default: Component<Record<string, never>> }>;
}

export type Feature = ProjectFeature | WorkbenchFeature;

/** The feature whose screen is shown, for the frame around it. */
export const [shownFeature, showFeature] = createContext<Feature>();
