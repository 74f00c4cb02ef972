// The method and settings a user is working on, before they become a job. Kept across reloads, for each project.

import type { AnonymizeSpec, Settings } from "../ui/api/types";

interface Kept {
  preset: string | null;
  method: string | null;
  settings: Settings;
  variant: AnonymizeSpec["variant"];
  /** Null until the user chooses one: every run then draws its own. */
  seed: number | null;
  /** Null until the user ticks or clears a column: the page then shows what is usual for the data. */
  ticked: string[] | null;
}

const EMPTY: Kept = { preset: null, method: null, settings: {}, variant: "sound", seed: null, ticked: null };

export class Draft {
  private key: string;
  preset = $state<string | null>(null);
  method = $state<string | null>(null);
  settings = $state<Settings>({});
  variant = $state<AnonymizeSpec["variant"]>("sound");
  seed = $state<number | null>(null);
  ticked = $state<string[] | null>(null);

  constructor(project: string) {
    this.key = `throng.draft.${project}`;
    const kept = this.read();
    this.preset = kept.preset;
    this.method = kept.method;
    this.settings = kept.settings;
    this.variant = kept.variant;
    // Drafts of earlier versions hold a 0 that the user did not choose.
    this.seed = kept.seed || null;
    this.ticked = kept.ticked;
  }

  private read(): Kept {
    try {
      return { ...EMPTY, ...(JSON.parse(localStorage.getItem(this.key) ?? "{}") as Partial<Kept>) };
    } catch {
      return EMPTY;
    }
  }

  keep() {
    const { preset, method, settings, variant, seed, ticked } = this;
    localStorage.setItem(this.key, JSON.stringify({ preset, method, settings, variant, seed, ticked } satisfies Kept));
  }

  choose(method: string, settings: Settings, preset: string | null) {
    this.method = method;
    this.settings = { ...settings };
    this.preset = preset;
    this.keep();
  }

  /** The run as it would be asked for, publishing these columns and no others. */
  spec(publish: string[]): AnonymizeSpec | null {
    if (!this.method) return null;
    const typed = Object.entries(this.settings).filter(([, value]) => value.trim() !== "");
    return {
      kind: "anonymize",
      method: this.method,
      settings: Object.fromEntries(typed.map(([name, value]) => [name, value.trim()])),
      variant: this.variant,
      ...(this.seed === null ? {} : { seed: this.seed }),
      publish: [...publish],
    };
  }
}
