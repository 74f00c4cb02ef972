import type { ProjectFeature } from "../../shell/feature";

export default {
  id: "data",
  area: "data",
  scope: "project",
  title: "Data",
  lead: "Check what was read and say what each column is.",
  icon: "M3 4h14v12H3zM3 8h14M8 4v12",
  order: 2,
  load: () => import("./Screen.svelte"),
  state: (project) => {
    if (!project.data || project.data.state === "loading") return "busy";
    return project.data.problem || project.unconfirmed.length > 0 ? "attention" : "done";
  },
} satisfies ProjectFeature;
