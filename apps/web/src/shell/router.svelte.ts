// The address behind `#` is the only memory of where the user is: it survives reload and can be bookmarked.

import { address, parse, type Route } from "./address";

class Router {
  current = $state<Route>(parse(location.hash));
  /** Whether the user has gone anywhere since the page was opened. */
  moved = false;

  constructor() {
    window.addEventListener("hashchange", () => {
      this.moved = true;
      this.current = parse(location.hash);
    });
  }

  go(project: string | null, step: string, detail?: string | null) {
    location.hash = address(project, step, detail);
  }
}

export const router = new Router();
