// A comparison that is being put together, configuration by configuration: a method with settings of its own. The same method may stand in several.

import { catalogue } from "../../ui/api/catalogue.svelte";
import type { CompareSpec, Descriptor, Param, Settings } from "../../ui/api/types";
import { wrong } from "../../ui/form/form";
import { firstRange, variable } from "./compare";
import { steps } from "./range";

/** The server takes no larger grid. */
export const MAX_RUNS = 200;

const filled = (settings: Settings): [string, string][] =>
  Object.entries(settings).map(([name, value]): [string, string] => [name, value.trim()]).filter(([, value]) => value !== "");

/** A method with settings of its own. */
export interface Configuration {
  id: number;
  method: string;
  settings: Settings;
}

/** What tells configurations apart: the method with what was set, and a number where that is the same. */
export function labels(configurations: Pick<Configuration, "method" | "settings">[]): string[] {
  const plain = configurations.map(({ method, settings }) => [method, ...filled(settings).map(([name, value]) => `${name}=${value}`)].join(" "));
  return plain.map((label, at) => {
    const before = plain.slice(0, at).filter((other) => other === label).length;
    return before === 0 ? label : `${label} (${before + 1})`;
  });
}

export class Sweep {
  configurations = $state<Configuration[]>([]);
  /** What the comparison is called; by its methods when it is empty. */
  name = $state("");
  param = $state("");
  /** A range, or a list of values. */
  listed = $state(false);
  from = $state(5);
  to = $state(25);
  step = $state(5);
  list = $state("");
  shared = $state<Settings>({});
  /** By name; the usual ones when empty. */
  measures = $state<string[]>([]);
  /** How often each run is repeated, with another seed each time. */
  repeats = $state(1);

  private last = 0;

  /** The names of the methods, each once. */
  chosen = $derived([...new Set(this.configurations.map((one) => one.method))]);
  /** The method of each configuration. */
  methods = $derived(this.configurations.map((one) => catalogue.method(one.method)).filter((one): one is Descriptor => one !== undefined));
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
    if (this.runs > MAX_RUNS) return `That is ${this.runs} runs; at most ${MAX_RUNS} fit one comparison.`;
    const has = (method: string, param: Param) => catalogue.method(method)?.params.some((one) => one.name === param.name);
    const lacking = this.asked.find((param) => this.configurations.some(({ method, settings }) => has(method, param) && wrong(param, settings[param.name] || this.shared[param.name])));
    return lacking ? `${lacking.name} is not right yet.` : "";
  });

  spec = $derived<CompareSpec>({
    kind: "compare",
    ...(this.name.trim() && { name: this.name.trim() }),
    methods: this.configurations.map((one, at) => {
      const names = new Set(catalogue.method(one.method)?.params.map((param) => param.name));
      const settings = [...filled(this.shared), ...filled(one.settings)].filter(([name]) => names.has(name) && name !== this.param);
      const alone = this.configurations.filter((other) => other.method === one.method).length === 1;
      return { name: one.method, settings: Object.fromEntries(settings), ...(!alone && { label: labels(this.configurations)[at] ?? one.method }) };
    }),
    ...(this.measures.length > 0 && { measures: this.measures }),
    ...(this.repeats > 1 && { repeats: this.repeats }),
    vary: this.listed ? { param: this.param, values: this.values } : { param: this.param, from: this.from, to: this.to, step: this.step },
  });

  choose(name: string, on: boolean) {
    this.configurations = on ? [...this.configurations, this.fresh(name, {})] : this.configurations.filter((other) => other.method !== name);
    this.settle();
  }

  /** One more of the same method, to be changed. */
  another(id: number) {
    this.configurations = this.configurations.flatMap((one) => (one.id === id ? [one, this.fresh(one.method, { ...one.settings })] : [one]));
  }

  drop(id: number) {
    this.configurations = this.configurations.filter((one) => one.id !== id);
    this.settle();
  }

  /** A comparison that was made before, to be changed or run again. */
  take(spec: CompareSpec) {
    this.configurations = spec.methods.map((one) => this.fresh(one.name, { ...one.settings }));
    [this.name, this.shared, this.measures, this.repeats] = [spec.name ?? "", {}, spec.measures ?? [], spec.repeats ?? 1];
    // A comparison that another program asked for may vary nothing.
    if (!spec.vary) return this.settle();
    const { param, values, from, to, step } = spec.vary;
    this.param = param;
    this.listed = (values?.length ?? 0) > 0;
    if (this.listed) this.list = (values ?? []).join(", ");
    else [this.from, this.to, this.step] = [from ?? 0, to ?? 0, step ?? 1];
  }

  private fresh = (method: string, settings: Settings): Configuration => ({ id: ++this.last, method, settings });

  /** The parameter stays while the methods still share it. */
  private settle() {
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

  setOwn(id: number, name: string, value: string) {
    this.configurations = this.configurations.map((one) => (one.id === id ? { ...one, settings: { ...one.settings, [name]: value } } : one));
  }
}
