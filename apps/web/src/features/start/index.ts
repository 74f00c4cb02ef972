import type { WorkbenchFeature } from "../../shell/feature";

export default {
  id: "start",
  area: "data",
  scope: "workbench",
  title: "Start",
  lead: "Open a file of your own, or a sample world to learn on.",
  icon: "M3 6h5l2 2h7v8H3z",
  order: 1,
  load: () => import("./Screen.svelte"),
  state: () => "done",
} satisfies WorkbenchFeature;
