import type { ProjectFeature } from "../../shell/feature";

export default {
  id: "method",
  area: "publish",
  scope: "project",
  title: "Promise and method",
  lead: "Decide what to promise, and how to keep it.",
  icon: "M10 2l7 3v5c0 4-3 7-7 8-4-1-7-4-7-8V5z",
  order: 1,
  load: () => import("./Screen.svelte"),
  state: (project) => (project.jobsOf("anonymize").length > 0 ? "done" : "open"),
} satisfies ProjectFeature;
