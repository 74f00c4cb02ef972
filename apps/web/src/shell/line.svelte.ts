// Whether the workbench answers. It may be stopped while a tab is open, and started again: the tab says so and goes on by itself.

import { api, type Heard, hear } from "../ui/api/client";

/** How often a silent workbench is asked again, and one that answers whether it is still there, in milliseconds. */
const AGAIN = 2000;
const STILL = 10_000;

class Line {
  state = $state<Heard>("up");
  /** Counts up whenever the workbench came back, so that screens know when to ask again. */
  returns = $state(0);
  private timer: ReturnType<typeof setTimeout> | undefined;

  start() {
    hear((state) => this.take(state));
    document.addEventListener("visibilitychange", () => !document.hidden && void this.ask());
    this.wait();
  }

  private take(state: Heard) {
    if (state === this.state) return;
    if (state === "up") this.returns += 1;
    this.state = state;
    this.wait();
  }

  private wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask(), this.state === "up" ? STILL : AGAIN);
  }

  /** The answer is heard like every other one. A tab in the background does not ask. */
  async ask() {
    if (!document.hidden) await api.session().catch(() => undefined);
    this.wait();
  }
}

export const line = new Line();
