// Which file of the built app a module goes into. By default the bundler makes a file for every set of screens that
// share a module, and a screen would be fetched in a dozen pieces. Here a screen is one file, beside three files that screens share.

/** @type {[RegExp, string][]} */
const SHARED = [
  // Fetched when a map is drawn, or a picture is saved: files of their own.
  [/\/src\/ui\/map\/map\.ts|\/src\/ui\/export\/(png|pdf)\.ts/, ""],
  [/\/src\/ui\/map\//, "map-pane"],
  [/\/src\/ui\/(plot|export)\/|\/node_modules\/(d3-[a-z]+|internmap)\//, "plots"],
  [/\/src\/(shell|ui|project)\/|\/src\/features\/[^/]+\/index\.ts|\/node_modules\/(svelte|esm-env|clsx)\/|vite\/preload-helper/, "workbench"],
];

/** @param {string} id the path of a module */
export const sharedChunk = (id) => SHARED.find(([pattern]) => pattern.test(id))?.[1] || undefined;

/** A screen's file is called after its feature. */
export function chunkName({ facadeModuleId }) {
  const feature = /\/src\/features\/([^/]+)\/Screen\.svelte$/.exec(facadeModuleId ?? "")?.[1];
  return `assets/${feature ? `screen-${feature}` : "[name]"}-[hash].js`;
}
