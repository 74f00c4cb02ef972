import type { ProjectFeature } from "../../shell/feature";

export default {
  id: "patterns",
  area: "data",
  scope: "project",
  title: "Patterns",
  lead: "What many people do: sequences, sets of items, and shapes in their graph.",
  icon: "M4 13a2 2 0 1 0 0 4 2 2 0 0 0 0-4M10 3a2 2 0 1 0 0 4 2 2 0 0 0 0-4M16 13a2 2 0 1 0 0 4 2 2 0 0 0 0-4M9 7l-4 6M11 7l4 6M6 15h8",
  order: 5,
  load: () => import("./Screen.svelte"),
  state: (project) => (project.hasSeen("patterns") ? "done" : "open"),
} satisfies ProjectFeature;
