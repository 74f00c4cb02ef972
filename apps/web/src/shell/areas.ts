// The parts of the workbench, in the order of the rail. Each feature names the area that it belongs to.

export const AREAS = [
  { id: "data", title: "Data" },
  { id: "publish", title: "Publish" },
] as const;

export type AreaId = (typeof AREAS)[number]["id"];
