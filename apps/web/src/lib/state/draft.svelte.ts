// The method and settings a user is working on, before they become a job. Kept across reloads, for each project.

import type { AnonymizeSpec, Settings } from "../types";

interface Kept {
  preset: string | null;
  method: string | null;
  settings: Settings;
  variant: AnonymizeSpec["variant"];
  /** Null until somebody chooses one: every run then draws its own. */
  seed: number | null;
  publish: string[];
}

const EMPTY: Kept = { preset: null, method: null, settings: {}, variant: "sound", seed: null, publish: [] };

export class Draft {
  private key: string;
  preset = $state<string | null>(null);
  method = $state<string | null>(null);
  settings = $state<Settings>({});
  variant = $state<AnonymizeSpec["variant"]>("sound");
  seed = $state<number | null>(null);
  publish = $state<string[]>([]);

  constructor(project: string) {
    this.key = `throng.draft.${project}`;
    const kept = this.read();
    this.preset = kept.preset;
    this.method = kept.method;
    this.settings = kept.settings;
    this.variant = kept.variant;
    // Drafts of earlier versions hold a 0 that nobody chose.
    this.seed = kept.seed || null;
    this.publish = kept.publish;
  }

  private read(): Kept {
    try {
      return { ...EMPTY, ...(JSON.parse(localStorage.getItem(this.key) ?? "{}") as Partial<Kept>) };
    } catch {
      return EMPTY;
    }
  }

  keep() {
    const { preset, method, settings, variant, seed, publish } = this;
    localStorage.setItem(this.key, JSON.stringify({ preset, method, settings, variant, seed, publish } satisfies Kept));
  }

  choose(method: string, settings: Settings, preset: string | null) {
    this.method = method;
    this.settings = { ...settings };
    this.preset = preset;
    this.keep();
  }

  spec(): AnonymizeSpec | null {
    if (!this.method) return null;
    const typed = Object.entries(this.settings).filter(([, value]) => value.trim() !== "");
    return {
      kind: "anonymize",
      method: this.method,
      settings: Object.fromEntries(typed.map(([name, value]) => [name, value.trim()])),
      variant: this.variant,
      ...(this.seed === null ? {} : { seed: this.seed }),
      publish: [...this.publish],
    };
  }
}
