// Fails the build when the first page weighs too much: it has to open at once on an old computer too.

import { gzipSync } from "node:zlib";

/** @param {number} limit bytes, compressed: the entry, what it imports at once, and their style sheets */
export function firstPage(limit) {
  return {
    name: "first-page",
    generateBundle(_, bundle) {
      const names = new Set();
      const visit = (name) => {
        if (names.has(name)) return;
        names.add(name);
        const chunk = bundle[name];
        if (chunk?.type !== "chunk") return;
        chunk.imports.forEach(visit);
        chunk.viteMetadata?.importedCss.forEach((css) => names.add(css));
      };
      for (const chunk of Object.values(bundle)) if (chunk.type === "chunk" && chunk.isEntry) visit(chunk.fileName);
      const weight = [...names].reduce((sum, name) => sum + gzipSync(bundle[name].code ?? bundle[name].source).length, 0);
      if (weight > limit) this.error(`the first page weighs ${weight} bytes compressed; at most ${limit} are allowed`);
      this.info(`the first page weighs ${weight} bytes compressed`);
    },
  };
}
