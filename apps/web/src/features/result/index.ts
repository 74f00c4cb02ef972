import type { ProjectFeature } from "../../shell/feature";

export default {
  id: "result",
  area: "publish",
  scope: "project",
  title: "Result",
  lead: "What the release promises, what it cost, and what it still gives away.",
  icon: "M5 2h7l4 4v12H5zM8 11l2 2 3-4",
  order: 3,
  load: () => import("./Screen.svelte"),
  state: (project) => (project.releases.length > 0 ? "done" : "open"),
} satisfies ProjectFeature;
