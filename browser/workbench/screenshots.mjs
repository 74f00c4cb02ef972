// Every screen, light and dark, for the README: `make screenshots`.

import { mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Bench, choose, fill, run, sample, step } from "./bench.mjs";

const OUT = resolve(dirname(fileURLToPath(import.meta.url)), "../../docs/screenshots");
const ADDRESSES = { start: "", data: "data", meaning: "meaning", risk: "risk", method: "method", run: "run", result: "result", compare: "compare", publish: "publish" };

await mkdir(OUT, { recursive: true });
const bench = await Bench.open();
try {
  const page = await bench.page();
  await sample(page, "City", 2000);
  await choose(page, "seqanon");
  await fill(page, "k", "5");
  await run(page);
  await page.getByRole("link", { name: "Look at the result" }).waitFor({ timeout: 120_000 });
  await step(page, "Compare");
  for (const method of ["seqanon", "sd-seqanon", "u-seqanon"]) await page.locator(`input[value="${method}"]`).check();
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await page.getByRole("button", { name: "All numbers as CSV" }).waitFor({ timeout: 300_000 });
  const project = /#\/p\/[^/]+/.exec(page.url())[0];

  for (const dark of [false, true]) {
    const tab = await bench.page({ dark, width: 1280, height: 800 });
    for (const [name, address] of Object.entries(ADDRESSES)) {
      await tab.goto(`${bench.origin}/${address ? `${project}/${address}` : "#/"}`);
      await tab.getByRole("heading", { level: 1 }).waitFor();
      await tab.waitForLoadState("networkidle");
      // Maps draw after their data arrived.
      await tab.waitForTimeout(1500);
      await tab.screenshot({ path: join(OUT, `${name}-${dark ? "dark" : "light"}.png`) });
    }
    await tab.context().close();
  }
} finally {
  await bench.close();
}
