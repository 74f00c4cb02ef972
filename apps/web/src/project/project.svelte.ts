// The open project: what the header, the rail and every screen share.

import { catalogue } from "../ui/api/catalogue.svelte";
import { api, problemOf } from "../ui/api/client";
import type { CopyText, DataView, Fit, Fits, InputView, Job, JobSpec, MapView, Problem, Project, Settings } from "../ui/api/types";
import { Draft } from "./draft.svelte";
import { canBePublished, ticked as tickedOf } from "./roles";
import { units } from "./units.svelte";
import { isOver, Watch } from "./watch.svelte";

export class ProjectState {
  readonly id: string;
  project = $state.raw<Project | null>(null);
  data = $state.raw<DataView | null>(null);
  inputs = $state.raw<InputView[]>([]);
  jobs = $state.raw<Job[]>([]);
  map = $state.raw<MapView | null>(null);
  fits = $state.raw<Fits | null>(null);
  problem = $state.raw<Problem | null>(null);
  /** Counts up with every change of the data, so that screens know when to ask again. */
  version = $state(0);
  draft: Draft;
  /** Which rows of the data are looked at. */
  grid = $state({ offset: 0, sort: "", filter: "" });
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
      void this.loadFits();
    } catch (error) {
      // What is on the screen stays there while the workbench is away.
      if (!this.data || problemOf(error).status === 404) this.problem = problemOf(error);
    }
  }

  /** The server decides which methods fit the data. */
  private async loadFits() {
    this.fits = await api.fits(this.id).catch(() => this.fits);
  }

  /** Whether a method, promise or measure can be used now, and why not. */
  fitOf = (name: string): Fit | undefined => [...(this.fits?.methods ?? []), ...(this.fits?.promises ?? []), ...(this.fits?.measures ?? [])].find((fit) => fit.name === name);

  /** Whether a method is for data of this kind, even if an input that it needs is missing. */
  suits = (method: string): boolean => {
    const kind = this.data?.kind;
    const takes = catalogue.method(method)?.takes ?? [];
    const fit = this.fitOf(method);
    return !kind || fit?.ok === true || (fit?.missing.length ?? 0) > 0 || takes.includes(kind);
  };

  private async loadMap() {
    this.map = this.inputs.some((input) => input.input === "places" && !input.problem)
      ? await api.map(this.id).catch(() => null)
      : null;
    units.system = this.map?.system ?? null;
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
    // Whether an input fits the data changes with the data.
    this.inputs = await api.inputs(this.id);
    void this.loadMap();
    await this.loadFits();
  }

  /** How far undo and redo go, after a change beside the cells. */
  async refreshHistory() {
    const { undo, redo } = await api.data(this.id);
    if (this.data) this.data = { ...this.data, undo, redo };
  }

  async refreshInputs() {
    this.inputs = await api.inputs(this.id);
    this.version += 1;
    void this.loadMap();
    await this.loadFits();
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

  private undoing: Promise<void> = Promise.resolve();

  /** Takes the last change back, or does it again: of a cell, a tree or a list. One that is asked for while another is under way waits for it. */
  undo(again = false): Promise<void> {
    const turn = this.undoing.catch(() => {}).then(() => this.step(again));
    this.undoing = turn;
    return turn;
  }

  private async step(again: boolean) {
    if (!(again ? this.data?.redo : this.data?.undo)) return;
    const { undo, redo } = await (again ? api.redo(this.id) : api.undo(this.id));
    if (this.data) this.data = { ...this.data, undo, redo };
    // An input may be gone: what needs it must not be asked for first.
    await this.refreshInputs();
    await this.refreshData();
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
    api.copy(this.id, { ...screen, run: this.draft.spec(this.ticked) });

  /** Whether the method at hand publishes columns by their roles: those of a table, or beside sets that it recodes together with them. */
  byRole = $derived.by(() => this.data?.form === "table" || (catalogue.method(this.draft.method)?.takes.includes("mixed") ?? false));

  /** Columns that may be ticked. */
  choosable = $derived(this.columns.filter((column) => canBePublished(column.role)));

  /** Columns that are ticked: nothing else is published. Until the user says otherwise, those that the promise speaks of. */
  ticked = $derived.by(() => tickedOf(this.choosable, this.draft.ticked, this.byRole));

  tick(column: string, on: boolean) {
    this.draft.ticked = on ? [...this.ticked, column] : this.ticked.filter((name) => name !== column);
    this.draft.keep();
  }

  unconfirmed = $derived(this.columns.filter((column) => column.role === null));

  /** Jobs of one kind, the newest first. */
  jobsOf = (kind: Job["kind"]): Job[] => this.jobs.filter((job) => job.kind === kind);

  /** Whether a job of this project is under way. */
  running = $derived(this.watches.some((watch) => !isOver(watch.job)));

  /** Remembers that the user looked at a screen. */
  visit(screen: string) {
    if (this.seen.includes(screen)) return;
    this.seen = [...this.seen, screen];
    localStorage.setItem(`throng.seen.${this.id}`, this.seen.join(","));
  }

  hasSeen = (screen: string): boolean => this.seen.includes(screen);
}
