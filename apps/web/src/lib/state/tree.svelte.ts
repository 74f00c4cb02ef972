// A taxonomy as an open-and-close tree. Children come from the server when a node is opened.

import { api } from "../api";
import type { TaxonomyEdit, TaxonomyNode } from "../types";

export interface Line {
  node: TaxonomyNode;
  level: number;
  position: number;
  siblings: number;
}

export class Tree {
  private project: string;
  private children = $state.raw<ReadonlyMap<string, TaxonomyNode[]>>(new Map());
  private open = $state.raw<ReadonlySet<string>>(new Set());

  /** Groups that were added here and are still empty: only their names tell them from items. */
  private empty = $state.raw<ReadonlySet<string>>(new Set());

  constructor(project: string) {
    this.project = project;
  }

  lines = $derived.by(() => {
    const lines: Line[] = [];
    const walk = (under: string, level: number) => {
      const nodes = this.children.get(under) ?? [];
      nodes.forEach((node, i) => {
        lines.push({ node, level, position: i + 1, siblings: nodes.length });
        if (this.open.has(node.id)) walk(node.id, level + 1);
      });
    };
    walk("", 1);
    return lines;
  });

  isGroup = (node: TaxonomyNode): boolean => node.children > 0 || this.empty.has(node.name);

  isOpen = (id: string): boolean => this.open.has(id);

  private async fetch(under: string) {
    const { nodes } = await api.taxonomy(this.project, under || undefined);
    this.children = new Map(this.children).set(under, nodes);
  }

  async load() {
    await this.fetch("");
    const roots = this.children.get("") ?? [];
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
    await api.editTaxonomy(this.project, edit);
    if (edit.op === "add") this.empty = new Set(this.empty).add(edit.name);
    if (edit.op === "rename" && before !== undefined && this.empty.has(before)) this.empty = new Set(this.empty).add(edit.name);
    const opened = [...this.open];
    this.children = new Map();
    await this.fetch("");
    for (const id of opened) {
      await this.fetch(id).catch(() => this.collapse(id));
    }
  }

  parentOf = (id: string): string | null => this.lines.find((line) => line.node.id === id)?.node.parent ?? null;

  /** Whether `id` lies under `ancestor`, as far as the open part of the tree shows. */
  isUnder(id: string, ancestor: string): boolean {
    for (let at: string | null = id; at; at = this.parentOf(at)) if (at === ancestor) return true;
    return false;
  }
}
