import type { ProjectFeature } from "../../shell/feature";

export default {
  id: "compare",
  area: "publish",
  scope: "project",
  title: "Compare",
  lead: "Try several methods and settings side by side before you decide.",
  icon: "M3 3v14h14M6 13l4-5 3 2 4-6",
  order: 4,
  load: () => import("./Screen.svelte"),
  state: (project) => (project.jobsOf("compare").some((job) => job.state === "done") ? "done" : "open"),
} satisfies ProjectFeature;
