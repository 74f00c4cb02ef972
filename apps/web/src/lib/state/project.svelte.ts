// The open project: what the header, the rail and every screen share.

import { api, problemOf } from "../api";
import type { StepId, StepState } from "../steps";
import type { CopyText, DataView, InputView, Job, JobSpec, MapView, Problem, Project, Settings } from "../types";
import { Draft } from "./draft.svelte";
import { isOver, Watch } from "./watch.svelte";

export class ProjectState {
  readonly id: string;
  project = $state.raw<Project | null>(null);
  data = $state.raw<DataView | null>(null);
  inputs = $state.raw<InputView[]>([]);
  jobs = $state.raw<Job[]>([]);
  map = $state.raw<MapView | null>(null);
  problem = $state.raw<Problem | null>(null);
  /** Counts up with every change of the data, so that screens know when to ask again. */
  version = $state(0);
  draft: Draft;
  watches = $state.raw<Watch[]>([]);
  private closed = false;
  private seen = $state<string[]>([]);

  constructor(id: string) {
    this.id = id;
    this.draft = new Draft(id);
    this.seen = (localStorage.getItem(`throng.seen.${id}`) ?? "").split(",").filter(Boolean);
  }

  async load() {
    try {
      [this.project, this.data, this.inputs, this.jobs] = await Promise.all([
        api.project(this.id),
        api.data(this.id),
        api.inputs(this.id),
        api.jobs(this.id),
      ]);
      this.problem = null;
      this.version += 1;
      for (const job of this.jobs) if (!isOver(job) && !this.watchOf(job.id)) this.follow(job);
      if (this.data.state === "loading") await this.untilRead();
      void this.loadMap();
    } catch (error) {
      // What is on the screen stays there while the workbench is away.
      if (!this.data || problemOf(error).status === 404) this.problem = problemOf(error);
    }
  }

  private async loadMap() {
    this.map = this.inputs.some((input) => input.input === "places" && !input.problem)
      ? await api.map(this.id).catch(() => null)
      : null;
  }

  /** A large file takes a while to read; the server says how far it is. */
  private async untilRead() {
    while (!this.closed && this.data?.state === "loading") {
      await new Promise((resolve) => setTimeout(resolve, 400));
      this.setData(await api.data(this.id));
    }
  }

  setData(data: DataView) {
    this.data = data;
    this.version += 1;
    if (this.project && data.kind) this.project = { ...this.project, subjects: data.counts.subjects, events: data.counts.events };
  }

  async refreshData() {
    this.setData(await api.data(this.id));
    await this.untilRead();
    void this.loadMap();
  }

  async refreshInputs() {
    this.inputs = await api.inputs(this.id);
    this.version += 1;
    void this.loadMap();
  }

  async start(spec: JobSpec): Promise<Watch> {
    return this.follow(await api.startJob(this.id, spec));
  }

  private follow(job: Job): Watch {
    const watch = new Watch(job, (over) => this.setJob(over));
    this.setJob(job);
    this.watches = [...this.watches.filter((old) => old.job.id !== job.id), watch];
    return watch;
  }

  watchOf = (id: string): Watch | undefined => this.watches.find((watch) => watch.job.id === id);

  setJob(job: Job) {
    const known = this.jobs.some((old) => old.id === job.id);
    this.jobs = known ? this.jobs.map((old) => (old.id === job.id ? job : old)) : [job, ...this.jobs];
  }

  dropJob(id: string) {
    this.jobs = this.jobs.filter((job) => job.id !== id);
  }

  close() {
    this.closed = true;
    for (const watch of this.watches) watch.close();
  }

  /** Releases that can be looked at, pinned ones first, then the newest. */
  releases = $derived(
    this.jobs
      .filter((job) => job.kind === "anonymize" && job.state === "done")
      .toSorted((a, b) => Number(b.pinned) - Number(a.pinned) || b.created.localeCompare(a.created)),
  );

  /** Columns of the events and of the attributes. */
  columns = $derived([...(this.data?.columns ?? []), ...(this.data?.attributes ?? [])]);

  /** What a screen without a run is copied as; with the run as far as it was chosen. */
  copied = (screen: { screen: "data" | "meaning" } | { screen: "risk"; attacker: Settings } = { screen: "meaning" }): Promise<CopyText> =>
    api.copy(this.id, { ...screen, run: this.draft.spec() ?? null });

  unconfirmed = $derived(this.columns.filter((column) => column.role === null));

  visit(step: StepId) {
    if (this.seen.includes(step)) return;
    this.seen = [...this.seen, step];
    localStorage.setItem(`throng.seen.${this.id}`, this.seen.join(","));
  }

  stateOf(step: StepId): StepState {
    const of = (kind: Job["kind"]) => this.jobs.filter((job) => job.kind === kind);
    const running = this.watches.some((watch) => !isOver(watch.job));
    switch (step) {
      case "start":
        return "done";
      case "data":
        if (!this.data || this.data.state === "loading") return "busy";
        return this.data.problem || this.unconfirmed.length > 0 ? "attention" : "done";
      case "meaning":
        if (this.inputs.some((input) => input.problem)) return "attention";
        return this.inputs.length > 0 ? "done" : "open";
      case "risk":
        return this.seen.includes("risk") ? "done" : "open";
      case "method":
        return of("anonymize").length > 0 ? "done" : "open";
      case "run": {
        if (running) return "busy";
        const last = of("anonymize")[0];
        if (!last) return "open";
        return last.state === "done" ? "done" : "attention";
      }
      case "result":
        return this.releases.length > 0 ? "done" : "open";
      case "compare":
        return of("compare").some((job) => job.state === "done") ? "done" : "open";
      case "publish":
        return this.jobs.some((job) => job.published) ? "done" : "open";
    }
  }
}
