// Records that are taken apart: baskets from a file to a published directory, shown as clusters and chunks that a person can read.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { Bench, THRONG, choose, fill, publish, run } from "./bench.mjs";

const execute = promisify(execFile);

/** A line a basket, as such files come: numbers of articles, separated by blanks. */
function baskets(lines) {
  const line = (i) => [1 + (i % 3), 10 + (i % 4), 20 + ((i * 7) % 5), ...(i % 2 ? [30 + ((i * 11) % 6)] : [])];
  return `${Array.from({ length: lines }, (_, i) => line(i).join(" ")).join("\n")}\n`;
}

describe("records that are taken apart", () => {
  let bench;
  let page;
  before(async () => {
    bench = await Bench.open();
    page = await bench.page();
  });
  after(() => bench.close());

  it("a file of baskets is seen as one, and taken apart", async () => {
    await page.getByLabel("Choose a file").setInputFiles({ name: "baskets.dat", mimeType: "text/plain", buffer: Buffer.from(baskets(120)) });
    await page.getByRole("heading", { level: 1, name: "Data" }).waitFor();
    await page.getByText(/^120 people/).waitFor();
    if (!(await page.getByRole("radio", { name: "Sets", exact: true }).isChecked())) {
      await page.getByRole("radio", { name: "Sets", exact: true }).check();
      await page.getByRole("button", { name: "Apply" }).click();
      await page.getByRole("button", { name: "Confirm the roles" }).waitFor();
    }
    await choose(page, "disassociation");
    await fill(page, "k", "3");
    await fill(page, "m", "2");
    await run(page);
    await page.getByRole("link", { name: "Look at the result" }).click();
    await page.getByRole("heading", { name: "The promise holds" }).waitFor();
  });

  it("the release reads as clusters of people, and chunks of what belongs together", async () => {
    // Nothing else on the screen shows such a release: it stands open.
    const clusters = page.locator("ol.clusters > li");
    await clusters.first().waitFor();
    assert.match(await clusters.first().getByRole("heading").innerText(), /^Cluster \d+: \d+ people/);
    await page.getByText("What stands in one box belongs to one person of the cluster.").waitFor();
    const box = clusters.locator(".chunk", { hasText: "together" }).locator("code").first();
    assert.match(await box.innerText(), /^\d+( \+ \d+)*$/);
    const sizes = (await clusters.getByRole("heading").allInnerTexts()).map((text) => Number(/: (\d+) people/.exec(text)[1]));
    assert.ok(sizes.every((people) => people >= 3), `a cluster of fewer than k: ${sizes}`);
    assert.deepEqual(await bench.violations(page), []);
  });

  it("what is published is what was shown, and the program finds that its promise holds", async () => {
    const shown = await page.locator("ol.clusters > li").first().locator(".chunk code").first().innerText();
    await publish(page);
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "The release (.zip)" }).click()]);
    const folder = await mkdtemp(join(tmpdir(), "throng-apart-"));
    try {
      await execute("python3", ["-m", "zipfile", "-e", await download.path(), folder]);
      const { stdout } = await execute("find", [folder, "-name", "release.csv"]);
      const home = join(stdout.trim(), "..");
      const rows = (await readFile(stdout.trim(), "utf8")).trim().split("\n").map((row) => row.split(","));
      assert.deepEqual(rows[0], ["cluster", "chunk", "kind", "record", "item"]);
      const first = rows.slice(1).filter((row) => row.slice(0, 4).join() === rows[1].slice(0, 4).join());
      assert.equal(first.map((row) => row[4]).join(" + "), shown);
      await execute(THRONG, ["verify", home]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("the pages logged no error", () => assert.deepEqual(bench.complaints, []));
});
