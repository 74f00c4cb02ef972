// Light or dark: the system decides until the user chooses; the choice is kept.

export type Choice = "system" | "light" | "dark";

const KEY = "throng.theme";

class Theme {
  choice = $state<Choice>(read());
  private system = $state(matchMedia("(prefers-color-scheme: dark)").matches);
  dark = $derived(this.choice === "dark" || (this.choice === "system" && this.system));

  constructor() {
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => (this.system = event.matches));
    this.apply();
  }

  set(choice: Choice) {
    this.choice = choice;
    if (choice === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, choice);
    this.apply();
  }

  private apply() {
    if (this.choice === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = this.choice;
  }
}

function read(): Choice {
  const kept = localStorage.getItem(KEY);
  return kept === "light" || kept === "dark" ? kept : "system";
}

export const theme = new Theme();
