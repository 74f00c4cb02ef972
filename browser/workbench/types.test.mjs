// The web app's types are written from the server's description. A description that changed since is noticed here.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { fingerprint } from "../../apps/web/tools/fingerprint.js";
import { Bench } from "./bench.mjs";

describe("the shapes that both sides agree on", () => {
  let bench;
  before(async () => (bench = await Bench.open()));
  after(() => bench.close());

  it("the types are those of the server that runs", async () => {
    const page = await bench.page();
    const description = await page.evaluate(() => fetch("/api/openapi.json").then((answer) => answer.json()));
    const written = await readFile(new URL("../../apps/web/src/lib/api-types.ts", import.meta.url), "utf8");
    assert.equal(/^\/\/ shapes (\w+)$/m.exec(written)?.[1], fingerprint(description), "run `make web-types`, then `npm run check` in apps/web");
  });
});
