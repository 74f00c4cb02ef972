// A comparison that is being put together: methods, the parameter that varies, settings for all and for each.

import { firstRange, variable } from "../compare";
import { wrong } from "../form";
import { steps } from "../range";
import type { CompareSpec, Descriptor, Param, Settings } from "../types";
import { catalogue } from "./catalogue.svelte";

/** The server takes no larger grid. */
export const MOST_RUNS = 200;

const filled = (settings: Settings): [string, string][] =>
  Object.entries(settings).map(([name, value]): [string, string] => [name, value.trim()]).filter(([, value]) => value !== "");

export class Sweep {
  chosen = $state<string[]>([]);
  param = $state("");
  /** A range, or a list of values. */
  listed = $state(false);
  from = $state(5);
  to = $state(25);
  step = $state(5);
  list = $state("");
  shared = $state<Settings>({});
  own = $state<Record<string, Settings>>({});
  /** By name; the usual ones when empty. */
  measures = $state<string[]>([]);
  /** How often each run is repeated, with another seed each time. */
  repeats = $state(1);

  methods = $derived(this.chosen.map(catalogue.method).filter((one): one is Descriptor => one !== undefined));
  params = $derived(variable(this.methods));
  varying = $derived(this.params.find((one) => one.name === this.param));
  values = $derived(this.listed ? this.list.split(/[\s,;]+/).filter(Boolean) : steps(this.from, this.to, this.step).map(String));

  /** What the promise names is said once for all methods; so is what has no default. */
  asked = $derived.by((): Param[] => {
    const promised = new Set(this.methods.flatMap((method) => catalogue.promise(method.keeps)?.params.map((param) => param.name) ?? []));
    const all = this.methods.flatMap((method) => method.params.filter((one) => one.name !== this.param && (one.default === null || promised.has(one.name))));
    return [...new Map(all.map((one) => [one.name, one])).values()];
  });

  runs = $derived(this.values.length * this.methods.length * Math.max(1, this.repeats || 1));

  /** Why it cannot begin, in words, or nothing. */
  wrong = $derived.by((): string => {
    if (this.methods.length === 0) return "Tick at least one method.";
    if (!this.varying) return "These methods have no number in common that could vary.";
    if (this.values.length === 0) return this.listed ? "Write at least one value." : "The range is empty: the end must not be below the start, and the step above 0.";
    const varying = this.varying;
    const bad = this.values.map((value) => [value, wrong(varying, value)] as const).find(([, problem]) => problem);
    if (bad) return `${varying.name} = ${bad[0]}: ${bad[1]}`;
    if (!Number.isInteger(this.repeats) || this.repeats < 1 || this.repeats > 20) return "A run can be repeated 1 to 20 times.";
    if (this.runs > MOST_RUNS) return `That is ${this.runs} runs; at most ${MOST_RUNS} fit one comparison.`;
    const lacking = this.asked.find((param) => this.methods.some((method) => method.params.some((one) => one.name === param.name) && wrong(param, this.own[method.name]?.[param.name] || this.shared[param.name])));
    return lacking ? `${lacking.name} is not right yet.` : "";
  });

  spec = $derived<CompareSpec>({
    kind: "compare",
    methods: this.methods.map((method) => {
      const names = new Set(method.params.map((one) => one.name));
      const settings = [...filled(this.shared), ...filled(this.own[method.name] ?? {})].filter(([name]) => names.has(name) && name !== this.param);
      return { name: method.name, settings: Object.fromEntries(settings) };
    }),
    ...(this.measures.length > 0 && { measures: this.measures }),
    ...(this.repeats > 1 && { repeats: this.repeats }),
    vary: this.listed ? { param: this.param, values: this.values } : { param: this.param, from: this.from, to: this.to, step: this.step },
  });

  choose(name: string, on: boolean) {
    this.chosen = on ? [...this.chosen, name] : this.chosen.filter((other) => other !== name);
    // The parameter stays while the methods still share it.
    if (!this.params.some((one) => one.name === this.param)) this.vary(this.params[0]?.name ?? "");
  }

  vary(name: string) {
    this.param = name;
    const one = this.varying;
    if (!one) return;
    const range = firstRange(one);
    [this.from, this.to, this.step] = [range.from, range.to, range.step];
    this.list = steps(range.from, range.to, range.step).join(", ");
  }

  setOwn(method: string, name: string, value: string) {
    this.own = { ...this.own, [method]: { ...this.own[method], [name]: value } };
  }
}
