import type { ProjectFeature } from "../../shell/feature";

export default {
  id: "run",
  area: "publish",
  scope: "project",
  title: "Run",
  lead: "Watch it work. You may close this tab; the work goes on.",
  icon: "M6 4l9 6-9 6z",
  order: 2,
  load: () => import("./Screen.svelte"),
  state: (project) => {
    if (project.running) return "busy";
    const last = project.jobsOf("anonymize")[0];
    if (!last) return "open";
    return last.state === "done" ? "done" : "attention";
  },
} satisfies ProjectFeature;
