// The ten steps, in the publisher's order.

export const STEPS = [
  { id: "start", title: "Start", lead: "Open a file of your own, or a sample world to learn on." },
  { id: "data", title: "Data", lead: "Check what was read and say what each column is." },
  { id: "meaning", title: "Meaning", lead: "Add what Throng cannot know: which items belong together, where they are, which are sensitive." },
  { id: "risk", title: "Risk today", lead: "What could somebody find out if you published the data as they are?" },
  { id: "patterns", title: "Patterns", lead: "What many people do: sequences, sets of items, and shapes in their graph." },
  { id: "method", title: "Promise and method", lead: "Decide what to promise, and how to keep it." },
  { id: "run", title: "Run", lead: "Watch it work. You may close this tab; the work goes on." },
  { id: "result", title: "Result", lead: "What the release promises, what it cost, and what it still gives away." },
  { id: "compare", title: "Compare", lead: "Try several methods and settings side by side before you decide." },
  { id: "publish", title: "Publish", lead: "Go through the checklist and take the release with you." },
] as const;

export type StepId = (typeof STEPS)[number]["id"];

export type StepState = "open" | "done" | "attention" | "busy";

export const stepOf = (id: StepId) => STEPS.find((step) => step.id === id) ?? STEPS[0];
