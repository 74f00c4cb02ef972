// What the program offers: asked once, the same for all projects.

import { api, problemOf } from "./client";
import type { Catalogue, Descriptor, InputKind, Problem, Session } from "./types";

class CatalogueState {
  all = $state.raw<Catalogue | null>(null);
  session = $state.raw<Session | null>(null);
  problem = $state.raw<Problem | null>(null);

  async load() {
    try {
      [this.all, this.session] = await Promise.all([api.catalogue(), api.session()]);
      this.problem = null;
    } catch (error) {
      this.problem = problemOf(error);
    }
  }

  method = (name: string | null | undefined): Descriptor | undefined => this.all?.methods.find((method) => method.name === name);

  promise = (name: string | null | undefined): Descriptor | undefined => this.all?.promises.find((promise) => promise.name === name);

  input = (word: string): InputKind | undefined => this.all?.inputs.find((input) => input.flag === word || input.name === word);
}

export const catalogue = new CatalogueState();
