// Follows one job live. The browser reconnects by itself; the server then sends the whole state first, so nothing is lost.

import { api } from "../ui/api/client";
import type { Job, JobProgress, JobState } from "../ui/api/types";

const OVER: JobState[] = ["done", "failed", "cancelled", "interrupted"];

export const isOver = (job: Job): boolean => OVER.includes(job.state);

export class Watch {
  job = $state.raw<Job>() as Job;
  /** Whether the line to the server is up. */
  connected = $state(true);
  private source: EventSource | null = null;
  private onOver: (job: Job) => void;

  constructor(job: Job, onOver: (job: Job) => void) {
    this.job = job;
    this.onOver = onOver;
    if (!isOver(job)) this.open();
  }

  private open() {
    const source = new EventSource(api.jobEventsUrl(this.job.id));
    this.source = source;
    source.onopen = () => (this.connected = true);
    source.onerror = () => {
      this.connected = false;
      // A refused connection is not retried by the browser; the job itself says whether it still lives.
      if (source.readyState === EventSource.CLOSED) void this.ask();
    };
    source.addEventListener("state", (event) => this.take(JSON.parse(event.data as string) as Job));
    source.addEventListener("progress", (event) => {
      const progress = JSON.parse(event.data as string) as Omit<JobProgress, "messages">;
      this.job = { ...this.job, state: "running", progress: { ...progress, messages: this.job.progress.messages } };
    });
    source.addEventListener("message", (event) => {
      const said = JSON.parse(event.data as string) as { text: string };
      if (typeof said?.text !== "string") return;
      const messages = [...this.job.progress.messages, said.text].slice(-200);
      this.job = { ...this.job, progress: { ...this.job.progress, messages } };
    });
  }

  private async ask() {
    this.close();
    try {
      this.take(await api.job(this.job.id));
      if (!isOver(this.job)) setTimeout(() => this.open(), 1500);
    } catch {
      setTimeout(() => void this.ask(), 3000);
    }
  }

  private take(job: Job) {
    const before = this.job;
    this.job = { ...job, progress: { ...job.progress, messages: job.progress?.messages ?? before.progress.messages } };
    if (isOver(job)) {
      this.close();
      this.onOver(this.job);
    }
  }

  async cancel() {
    this.take(await api.cancelJob(this.job.id));
  }

  close() {
    this.source?.close();
    this.source = null;
  }
}
