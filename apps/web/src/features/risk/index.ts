import type { ProjectFeature } from "../../shell/feature";

export default {
  id: "risk",
  area: "data",
  scope: "project",
  title: "Risk today",
  lead: "What could an attacker find out if you published the data as they are?",
  icon: "M2 10s3-5 8-5 8 5 8 5-3 5-8 5-8-5-8-5zM10 7.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5",
  order: 4,
  load: () => import("./Screen.svelte"),
  state: (project) => (project.hasSeen("risk") ? "done" : "open"),
} satisfies ProjectFeature;
