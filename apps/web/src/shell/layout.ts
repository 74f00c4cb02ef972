// Which folder uses which, read from the imports of the sources: `layout.test.ts` holds the rules against it.

/** The text of each source file by its path below `src`, as `ui/Icon.svelte`. */
export type Sources = ReadonlyMap<string, string>;

/** Each file with the files that it imports: at once, when it needs them, or for their types alone. */
export type Imports = ReadonlyMap<string, readonly string[]>;

const IMPORT = /(?:\bfrom\s+|\bimport\s*\(\s*|\bimport\s+)"(\.[^"]+)"/g;

/** `../api/client`, imported by `ui/map/map.ts`, is `ui/api/client`. */
function resolved(from: string, specifier: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

export function importsOf(sources: Sources): Imports {
  const found = (from: string, specifier: string): string[] => {
    const path = resolved(from, specifier);
    return [path, `${path}.ts`].filter((candidate) => sources.has(candidate));
  };
  return new Map([...sources].map(([path, text]) => [path, [...text.matchAll(IMPORT)].flatMap((match) => found(path, match[1] ?? ""))]));
}

/** The folder that a file belongs to: `shell`, `ui`, `project`, or a feature as `features/data`. */
export const ownerOf = (path: string): string => path.split("/").slice(0, path.startsWith("features/") ? 2 : 1).join("/");

const isShared = (owner: string): boolean => owner === "ui" || owner === "project";

/** For each file of `ui` and `project`, the features (and the shell) that use it, directly or by way of other shared files. */
export function usersOf(imports: Imports): Map<string, Set<string>> {
  const users = new Map([...imports.keys()].filter((path) => isShared(ownerOf(path))).map((path) => [path, new Set<string>()]));
  const visit = (path: string, user: string) => {
    for (const next of imports.get(path) ?? []) {
      const known = users.get(next);
      if (!known || known.has(user)) continue;
      known.add(user);
      visit(next, user);
    }
  };
  for (const path of imports.keys()) if (!isShared(ownerOf(path))) visit(path, ownerOf(path));
  return users;
}

/** Imports from one feature into another, as `features/data/Screen.svelte imports features/risk/PlayAttacker.svelte`. */
export function acrossFeatures(imports: Imports): string[] {
  const crossing = (from: string, to: string) => to.startsWith("features/") && ownerOf(from) !== ownerOf(to);
  return [...imports].flatMap(([from, all]) => all.filter((to) => crossing(from, to)).map((to) => `${from} imports ${to}`));
}

/** Shared files that fewer than two features (or a feature and the shell) use. */
export const usedOnce = (imports: Imports): string[] =>
  [...usersOf(imports)].filter(([, users]) => users.size < 2).map(([path, users]) => `${path} is used by ${users.size > 0 ? `${[...users].join()} alone` : "no feature"}`);
