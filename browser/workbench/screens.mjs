// The screens of the workbench: the folders of its features. A feature's id is the name of its folder, and its word in addresses.

import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const SCREENS = readdirSync(fileURLToPath(new URL("../../apps/web/src/features", import.meta.url))).sort();

/** The pictures that `make screenshots` makes of a screen. */
export const pictureName = (screen, dark) => `${screen}-${dark ? "dark" : "light"}.png`;
