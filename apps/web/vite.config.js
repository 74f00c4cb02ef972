import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { chunkName, sharedChunk } from "./tools/chunks.js";
import { firstPage } from "./tools/first-page.js";

export default defineConfig({
  plugins: [svelte(), firstPage(90_000)],
  // Relative addresses: the server may serve the page from any port.
  base: "./",
  build: {
    target: "es2022",
    // Nothing is inlined: the content security policy allows files of our own only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The map library is one megabyte by nature and is loaded only where there is a map.
    chunkSizeWarningLimit: 1200,
    rollupOptions: { output: { manualChunks: sharedChunk, chunkFileNames: chunkName } },
  },
  worker: { format: "es" },
  test: { include: ["src/**/*.test.ts"] },
});
