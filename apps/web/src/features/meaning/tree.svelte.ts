// A taxonomy as an open-and-close tree. Children come from the server when a node is opened.

import { api } from "../../ui/api/client";
import type { TaxonomyEdit, TaxonomyNode } from "../../ui/api/types";
import { count } from "../../ui/words/format";

export interface Line {
  node: TaxonomyNode;
  /** For the line that stands for children not fetched yet: how many they are. */
  left?: number;
  level: number;
  position: number;
  siblings: number;
}

export class Tree {
  private project: string;
  /** Over the items, or over the values of a column. */
  private target: string;
  private children = $state.raw<ReadonlyMap<string, { nodes: TaxonomyNode[]; total: number }>>(new Map());
  private open = $state.raw<ReadonlySet<string>>(new Set());

  /** Groups that were added here and are still empty: only their names tell them from items. */
  private empty = $state.raw<ReadonlySet<string>>(new Set());

  constructor(project: string, target: string) {
    this.project = project;
    this.target = target;
  }

  lines = $derived.by(() => {
    const lines: Line[] = [];
    const walk = (under: string, level: number) => {
      const { nodes, total } = this.children.get(under) ?? { nodes: [], total: 0 };
      nodes.forEach((node, i) => {
        lines.push({ node, level, position: i + 1, siblings: total });
        if (this.open.has(node.id)) walk(node.id, level + 1);
      });
      const left = total - nodes.length;
      if (left > 0) lines.push({ node: { id: `more ${under}`, name: `Show more of the other ${count(left)}`, parent: under || null, leaves: 0, children: 0 }, left, level, position: nodes.length + 1, siblings: total });
    };
    walk("", 1);
    return lines;
  });

  isGroup = (node: TaxonomyNode): boolean => node.children > 0 || this.empty.has(node.name);

  isOpen = (id: string): boolean => this.open.has(id);

  /** The first children of a node, at least `wanted` of them: a page is what one answer holds. */
  private async fetch(under: string, wanted = 1) {
    const nodes: TaxonomyNode[] = [];
    let total = 1;
    while (nodes.length < Math.min(wanted, total)) {
      const page = await api.taxonomy(this.project, this.target, under || undefined, nodes.length);
      nodes.push(...page.nodes);
      total = page.nodes.length > 0 ? page.total : nodes.length;
    }
    this.children = new Map(this.children).set(under, { nodes, total });
  }

  /** Fetches the next children of the node that a line stands for. */
  async more({ node }: Line) {
    const under = node.parent ?? "";
    await this.fetch(under, (this.children.get(under)?.nodes.length ?? 0) + 1);
  }

  async load() {
    await this.fetch("");
    const roots = this.children.get("")?.nodes ?? [];
    if (roots.length === 1 && roots[0]) await this.expand(roots[0].id);
  }

  async expand(id: string) {
    if (!this.children.has(id)) await this.fetch(id);
    this.open = new Set(this.open).add(id);
  }

  collapse(id: string) {
    const next = new Set(this.open);
    next.delete(id);
    this.open = next;
  }

  /** Sends the change, then asks again for what is open: the server decides what the tree now looks like. */
  async edit(edit: TaxonomyEdit) {
    const before = edit.op === "rename" ? this.lines.find((line) => line.node.id === edit.id)?.node.name : undefined;
    await api.editTaxonomy(this.project, this.target, edit);
    if (edit.op === "add") this.empty = new Set(this.empty).add(edit.name);
    if (edit.op === "rename" && before !== undefined && this.empty.has(before)) this.empty = new Set(this.empty).add(edit.name);
    // A node is known by its name: one that was renamed stays as open as it was.
    const renamed = (id: string) => (edit.op === "rename" && id === edit.id ? edit.name : id);
    this.open = new Set([...this.open].map(renamed));
    const opened = [...this.open];
    const shown = new Map([...this.children].map(([id, page]) => [renamed(id), page]));
    const seen = (id: string) => shown.get(id)?.nodes.length ?? 1;
    this.children = new Map();
    await this.fetch("", seen(""));
    for (const id of opened) {
      await this.fetch(id, seen(id)).catch(() => this.collapse(id));
    }
  }

  parentOf = (id: string): string | null => this.lines.find((line) => line.node.id === id)?.node.parent ?? null;

  /** Whether `id` lies under `ancestor`, as far as the open part of the tree shows. */
  isUnder(id: string, ancestor: string): boolean {
    for (let at: string | null = id; at; at = this.parentOf(at)) if (at === ancestor) return true;
    return false;
  }
}
