// Short messages about what just happened. Errors stay until they are dismissed; other messages go after five seconds.

import { problemOf, SILENT } from "../ui/api/client";
import type { Help } from "../ui/api/types";

export interface Notice {
  id: number;
  tone: "good" | "bad";
  text: string;
  help?: Help;
}

class Notices {
  list = $state<Notice[]>([]);
  private next = 1;

  good(text: string) {
    const id = this.add({ tone: "good", text });
    setTimeout(() => this.drop(id), 5000);
  }

  bad(error: unknown) {
    const problem = problemOf(error);
    // A workbench that does not answer is announced at the top of the page.
    if (problem === SILENT || problem.status === 401) return;
    this.add({ tone: "bad", text: problem.detail, ...(problem.help ? { help: problem.help } : {}) });
  }

  drop(id: number) {
    this.list = this.list.filter((notice) => notice.id !== id);
  }

  private add(notice: Omit<Notice, "id">): number {
    const id = this.next++;
    this.list = [...this.list.filter((old) => old.text !== notice.text).slice(-2), { ...notice, id }];
    return id;
  }
}

export const notices = new Notices();
