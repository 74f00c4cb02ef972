import type { ProjectFeature } from "../../shell/feature";

export default {
  id: "meaning",
  area: "data",
  scope: "project",
  title: "Meaning",
  lead: "Add what Throng cannot know: which items belong together, where they are, which are sensitive.",
  icon: "M8 3h4v4H8zM3 13h4v4H3zM13 13h4v4h-4zM10 7v3M5 13v-3h10v3",
  order: 3,
  load: () => import("./Screen.svelte"),
  state: (project) => {
    if (project.inputs.some((input) => input.problem)) return "attention";
    return project.inputs.length > 0 ? "done" : "open";
  },
} satisfies ProjectFeature;
