// The one place that talks to the server. Every failure becomes a `Failure` that carries a problem with a way out.

import type * as T from "./types";

export class Failure extends Error {
  readonly problem: T.Problem;
  constructor(problem: T.Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** No answer at all. */
export const SILENT: T.Problem = {
  type: "about:blank",
  title: "No answer",
  status: 0,
  detail: "The workbench does not answer.",
  help: ["Is it still running? Start it again with ", { command: "serve" }, "."],
};

/** What the last answer says about the workbench: it answers, it is silent, or it does not know this browser. */
export type Heard = "up" | "silent" | "stranger";

let listener: (heard: Heard) => void = () => undefined;

/** Calls `told` after every answer, and after every request that got none. */
export function hear(told: (heard: Heard) => void): void {
  listener = told;
}

/** Any failure as a problem that can be shown. */
export function problemOf(error: unknown): T.Problem {
  if (error instanceof Failure) return error.problem;
  if (error instanceof TypeError) return SILENT;
  return { type: "about:blank", title: "Unexpected", status: 0, detail: error instanceof Error ? error.message : String(error) };
}

function parseProblem(status: number, text: string): T.Problem {
  try {
    const problem = JSON.parse(text) as T.Problem;
    if (typeof problem.detail === "string") return problem;
  } catch {
    // Not JSON: a proxy or a crash wrote it. The status says enough.
  }
  return { type: "about:blank", title: "Error", status, detail: `The server answered ${status}.` };
}

async function ask(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const init: RequestInit = { method, headers: { accept: "application/json" }, signal: signal ?? null };
  if (body instanceof Blob || typeof body === "string") {
    init.body = body;
    init.headers = { accept: "application/json", "content-type": "application/octet-stream" };
  } else if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { accept: "application/json", "content-type": "application/json" };
  }
  const response = await fetch(`/api${path}`, init).catch((error: unknown) => {
    if (error instanceof TypeError) listener("silent");
    throw error;
  });
  listener(response.status === 401 ? "stranger" : "up");
  if (!response.ok) throw new Failure(parseProblem(response.status, await response.text()));
  return response;
}

async function json<R>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<R> {
  const response = await ask(method, path, body, signal);
  if (response.status === 204) return undefined as R;
  return (await response.json()) as R;
}

type Query = Record<string, string | number | boolean | undefined | null>;

export function query(values: Query): string {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "");
  if (pairs.length === 0) return "";
  return "?" + pairs.map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`).join("&");
}

const seg = encodeURIComponent;

/** `fetch` cannot tell how much of an upload was sent. */
function upload(name: string, file: Blob, progress: (share: number) => void): Promise<T.Project> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `/api/projects/upload${query({ name })}`);
    request.setRequestHeader("accept", "application/json");
    request.setRequestHeader("content-type", "application/octet-stream");
    request.upload.onprogress = (event) => event.lengthComputable && progress(event.loaded / event.total);
    request.onerror = () => {
      listener("silent");
      reject(new Failure(SILENT));
    };
    request.onload = () =>
      request.status < 300
        ? resolve(JSON.parse(request.responseText) as T.Project)
        : reject(new Failure(parseProblem(request.status, request.responseText)));
    request.send(file);
  });
}

export const api = {
  catalogue: () => json<T.Catalogue>("GET", "/catalogue"),
  session: () => json<T.Session>("GET", "/session"),

  projects: () => json<T.Project[]>("GET", "/projects"),
  createWorld: (world: string, subjects?: number, seed?: number, form?: T.Schemas["DataForm"]) => json<T.Project>("POST", "/projects", { world, subjects, seed, form }),
  upload,
  project: (p: string) => json<T.Project>("GET", `/projects/${seg(p)}`),
  renameProject: (p: string, name: string) => json<T.Project>("PATCH", `/projects/${seg(p)}`, { name }),
  deleteProject: (p: string) => json<void>("DELETE", `/projects/${seg(p)}`),

  data: (p: string) => json<T.DataView>("GET", `/projects/${seg(p)}/data`),
  setColumns: (p: string, body: T.ColumnsUpdate) => json<T.DataView>("PUT", `/projects/${seg(p)}/columns`, body),
  rows: (p: string, q: { offset: number; limit: number; sort?: string; filter?: string }, signal?: AbortSignal) =>
    json<T.Rows>("GET", `/projects/${seg(p)}/rows${query(q)}`, undefined, signal),
  edit: (p: string, edit: T.Edit) => json<T.EditState>("POST", `/projects/${seg(p)}/edits`, edit),
  undo: (p: string) => json<T.EditState>("POST", `/projects/${seg(p)}/undo`),
  redo: (p: string) => json<T.EditState>("POST", `/projects/${seg(p)}/redo`),
  histogram: (p: string, column: string, attribute = false) => json<T.Histogram>("GET", `/projects/${seg(p)}/histogram${query({ column, attribute: attribute || undefined })}`),
  /** All places, or those of a span of time. */
  map: (p: string, span: { from?: number; to?: number } = {}, signal?: AbortSignal) => json<T.MapView>("GET", `/projects/${seg(p)}/map${query(span)}`, undefined, signal),
  flows: (p: string) => json<T.Flow[]>("GET", `/projects/${seg(p)}/flows`),
  /** A grid over the points, with a side that fits the data unless one is given. */
  grid: (p: string, side: { cell?: string }, signal?: AbortSignal) => json<T.GridView>("GET", `/projects/${seg(p)}/points${query(side)}`, undefined, signal),
  /** A project of events at places, from the points of this one. */
  makePlaces: (p: string, body: { cell?: string; accept_loss?: boolean }) => json<T.Project>("POST", `/projects/${seg(p)}/points`, body),
  filesUrl: (p: string) => `/api/projects/${seg(p)}/files`,
  runFilesUrl: (j: string) => `/api/jobs/${seg(j)}/inputs`,
  bundleUrl: (p: string) => `/api/projects/${seg(p)}/bundle`,
  openBundle: (file: Blob) => json<T.Project>("POST", "/projects/bundle", file),
  exportUrl: (p: string) => `/api/projects/${seg(p)}/export`,

  inputs: (p: string) => json<T.InputView[]>("GET", `/projects/${seg(p)}/inputs`),
  putInput: (p: string, input: string, body: Blob | string) => json<T.InputView>("PUT", `/projects/${seg(p)}/inputs/${seg(input)}`, body),
  getInput: async (p: string, input: string, limit = 200) =>
    (await ask("GET", `/projects/${seg(p)}/inputs/${seg(input)}${query({ offset: 0, limit })}`)).text(),
  deleteInput: (p: string, input: string) => json<void>("DELETE", `/projects/${seg(p)}/inputs/${seg(input)}`),
  inputFileUrl: (p: string, input: string) => `/api/projects/${seg(p)}/inputs/${seg(input)}/file`,
  inputRows: (p: string, input: string, q: { offset: number; limit: number; sort?: string; filter?: string }, signal?: AbortSignal) =>
    json<T.Rows>("GET", `/projects/${seg(p)}/inputs/${seg(input)}/rows${query(q)}`, undefined, signal),
  editInputRows: (p: string, input: string, edit: T.Edit) => json<T.InputView>("POST", `/projects/${seg(p)}/inputs/${seg(input)}/rows`, edit),
  entries: (p: string, input: string, q: { offset: number; limit: number; search: string }, signal?: AbortSignal) =>
    json<T.EntriesPage>("GET", `/projects/${seg(p)}/inputs/${seg(input)}/entries${query(q)}`, undefined, signal),
  editEntries: (p: string, input: string, edit: T.EntryEdit) => json<T.InputView | null>("POST", `/projects/${seg(p)}/inputs/${seg(input)}/entries`, edit),
  generateInput: (p: string, input: string, body: object) =>
    json<T.InputView>("POST", `/projects/${seg(p)}/inputs/${seg(input)}/generate`, body),

  /** The target is `taxonomy`, over the items, or `hierarchy:COLUMN`. */
  taxonomy: (p: string, target: string, under?: string, offset = 0) =>
    json<{ nodes: T.TaxonomyNode[]; total: number }>("GET", `/projects/${seg(p)}/taxonomy${query({ target, under, offset, limit: 200 })}`),
  editTaxonomy: (p: string, target: string, edit: T.TaxonomyEdit) => json<unknown>("PATCH", `/projects/${seg(p)}/taxonomy${query({ target })}`, edit),
  items: (p: string, search: string, limit = 20, signal?: AbortSignal) =>
    json<T.ItemHit[]>("GET", `/projects/${seg(p)}/items${query({ search, limit })}`, undefined, signal),
  values: (p: string, column: string, attribute: boolean, search: string, limit = 20, signal?: AbortSignal) =>
    json<T.ValueHit[]>("GET", `/projects/${seg(p)}/values${query({ column, attribute: attribute || undefined, search, limit })}`, undefined, signal),

  patterns: (p: string, miner: string, q: T.Settings, signal?: AbortSignal) =>
    json<T.PatternsAnswer>("GET", `/projects/${seg(p)}/patterns/${seg(miner)}${query({ ...q })}`, undefined, signal),
  risk: (p: string, q: T.Settings, signal?: AbortSignal) =>
    json<T.RiskAnswer>("GET", `/projects/${seg(p)}/risk${query({ ...q })}`, undefined, signal),
  play: (p: string, body: { know: { item: string; time?: string; column?: string }[]; ordered: boolean; release?: string }, signal?: AbortSignal) =>
    json<T.PlayAnswer>("POST", `/projects/${seg(p)}/play`, body, signal),
  /** Checks the whole run, so that the recipe that is copied is the one that would run. */
  check: (p: string, { kind: _, ...spec }: T.AnonymizeSpec, signal?: AbortSignal) => json<T.Check>("POST", `/projects/${seg(p)}/check`, spec, signal),
  fits: (p: string) => json<T.Fits>("GET", `/projects/${seg(p)}/fits`),
  copy: (p: string, screen: T.CopySpec) => json<T.CopyText>("POST", `/projects/${seg(p)}/copy`, screen),

  startJob: (p: string, spec: T.JobSpec) => json<T.Job>("POST", `/projects/${seg(p)}/jobs`, spec),
  jobs: (p: string) => json<T.Job[]>("GET", `/projects/${seg(p)}/jobs`),
  job: (j: string) => json<T.Job>("GET", `/jobs/${seg(j)}`),
  jobEventsUrl: (j: string) => `/api/jobs/${seg(j)}/events`,
  cancelJob: (j: string) => json<T.Job>("POST", `/jobs/${seg(j)}/cancel`),
  noteJob: (j: string, change: { pinned?: boolean; note?: string }) => json<T.Job>("PATCH", `/jobs/${seg(j)}`, change),
  deleteJob: (j: string) => json<void>("DELETE", `/jobs/${seg(j)}`),
  result: <R>(j: string) => json<R>("GET", `/jobs/${seg(j)}/result`),
  members: (j: string, q: { at: number; search: string; offset: number; limit: number }, signal?: AbortSignal) => json<T.MembersPage>("GET", `/jobs/${seg(j)}/members${query(q)}`, undefined, signal),
  releaseRows: (j: string, q: { file: string; offset: number; limit: number }, signal?: AbortSignal) => json<T.ReleaseRows>("GET", `/jobs/${seg(j)}/rows${query(q)}`, undefined, signal),
  measure: (j: string, measures: string[]) => json<T.Measured[]>("POST", `/jobs/${seg(j)}/measure`, { measures }),
  files: (j: string) => json<T.ReleaseFile[]>("GET", `/jobs/${seg(j)}/files`),
  fileUrl: (j: string, name: string) => `/api/jobs/${seg(j)}/files/${seg(name)}`,
  downloadUrl: (j: string) => `/api/jobs/${seg(j)}/download`,
  ledger: (j: string, signal?: AbortSignal) => json<T.LedgerView>("GET", `/jobs/${seg(j)}/ledger`, undefined, signal),
  spreadsheetUrl: (j: string, name: string) => `/api/jobs/${seg(j)}/files/${seg(name)}/spreadsheet`,
  differences: (j: string, signal?: AbortSignal) => json<T.Differences>("GET", `/jobs/${seg(j)}/differences`, undefined, signal),
  checklist: (j: string) => json<T.ChecklistPoint[]>("GET", `/jobs/${seg(j)}/checklist`),
  publish: (j: string, body: { checklist: Record<string, boolean>; ledger: boolean; earlier_state: boolean; dataset?: string }) => json<T.Published>("POST", `/jobs/${seg(j)}/publish`, body),
};
