// Why a method can or cannot run on the data at hand. A disabled choice says so.

import type { Catalogue, DataKind, Descriptor, InputView } from "./types";

export interface Fit {
  ok: boolean;
  /** Why not, in words. */
  why: string;
  /** Flags of the inputs that are missing. */
  missing: string[];
  /** Whether they are there and have to be mended. */
  repair: boolean;
}

const KIND: Record<DataKind, string> = {
  sequences: "events in order",
  timed: "events with times",
  sets: "sets without order",
};

export function fits(method: Descriptor, kind: DataKind | null, inputs: InputView[], catalogue: Catalogue): Fit {
  if (kind === null) return { ok: false, why: "the data cannot be read yet", missing: [], repair: false };
  const takes = method.takes.includes(kind) || (kind === "timed" && method.takes.includes("sequences"));
  if (!takes) {
    const wanted = method.takes.map((word) => KIND[word]).join(" or ");
    return { ok: false, why: `works on ${wanted}; these are ${KIND[kind]}`, missing: [], repair: false };
  }
  const present = new Set(inputs.filter((input) => !input.problem).map((input) => input.input));
  const missing = method.needs
    .filter((need) => need.required)
    .map((need) => catalogue.inputs.find((input) => input.name === need.input || input.flag === need.input))
    .filter((input) => input !== undefined)
    .filter((input) => !present.has(input.flag) && !present.has(input.name));
  if (missing.length > 0) {
    const broken = missing.find((input) => inputs.some((given) => given.problem && (given.input === input.flag || given.input === input.name)));
    return {
      ok: false,
      why: broken ? `${broken.describe} has a problem` : `needs ${missing.map((input) => input.describe).join(" and ")}`,
      repair: broken !== undefined,
      missing: missing.map((input) => input.flag),
    };
  }
  return { ok: true, why: "", missing: [], repair: false };
}
