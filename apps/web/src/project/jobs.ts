// A job in words.

import { catalogue } from "../ui/api/catalogue.svelte";
import type { Job, JobState } from "../ui/api/types";
import { inForce, split } from "../ui/form/form";

export const STATE_WORDS: Record<JobState, { word: string; tone: "good" | "bad" | "warn" | "info" | "" }> = {
  queued: { word: "waiting", tone: "info" },
  running: { word: "running", tone: "info" },
  done: { word: "done", tone: "good" },
  failed: { word: "failed", tone: "bad" },
  cancelled: { word: "cancelled", tone: "" },
  interrupted: { word: "interrupted", tone: "warn" },
};

/** `seqanon k=5 m=2`. */
export function jobTitle(job: Job): string {
  const { spec } = job;
  if (spec.kind === "anonymize") {
    const method = catalogue.method(spec.method);
    // What the promise says is always named, even where it is the default.
    const promised = method ? split(method, catalogue.promise(method.keeps)).promise : [];
    const settings = { ...Object.fromEntries(promised.map((param) => [param.name, inForce(param, spec.settings)])), ...spec.settings };
    const words = Object.entries(settings).filter(([, value]) => value !== "").map(([name, value]) => `${name}=${value}`);
    return [spec.method, ...words].join(" ");
  }
  if (spec.kind === "compare" && spec.name) return spec.name;
  if (spec.kind === "compare") return `compare ${spec.methods.map((method) => method.label ?? method.name).join(", ")}${spec.vary ? ` over ${spec.vary.param}` : ""}`;
  return `recommend for ${spec.promise || `an attacker who knows ${spec.attacker_knows ?? "all"}`}`;
}

export function secondsOf(job: Job): number | null {
  if (!job.started || !job.finished) return null;
  return Math.max(0, (Date.parse(job.finished) - Date.parse(job.started)) / 1000);
}
