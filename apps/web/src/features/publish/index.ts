import type { ProjectFeature } from "../../shell/feature";

export default {
  id: "publish",
  area: "publish",
  scope: "project",
  title: "Publish",
  lead: "Go through the checklist and take the release with you.",
  icon: "M10 13V3M6 7l4-4 4 4M4 12v5h12v-5",
  order: 5,
  load: () => import("./Screen.svelte"),
  state: (project) => (project.jobs.some((job) => job.published) ? "done" : "open"),
} satisfies ProjectFeature;
