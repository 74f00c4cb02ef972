// The screen of patterns: sequences, sets and subgraphs are found, filtered, drawn and taken along.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { Bench, THRONG, choose, fill, run, sample, step } from "./bench.mjs";

const execute = promisify(execFile);

/** The field of a parameter, by the name that stands beside its label. */
const field = (page, name) => page.locator("div.field", { has: page.locator("code", { hasText: new RegExp(`^${name}$`) }) });
const drawings = (page) => page.locator("svg.plot > g");

describe("patterns", () => {
  let bench;
  let page;
  before(async () => {
    bench = await Bench.open();
    page = await bench.page({ dark: true });
    await sample(page, "City", 400);
    await step(page, "Patterns");
  });
  after(() => bench.close());

  it("sequences are drawn with arrows and counted in words", async () => {
    await page.getByRole("heading", { name: "Frequent sequences" }).waitFor();
    await page.getByText(/^\d[\d,]* patterns with at least 20 of 400 people/).waitFor();
    assert.ok((await page.locator("svg.plot path.tip").count()) > 0);
    assert.deepEqual(await bench.violations(page), []);
  });

  it("a filter leaves what fits, and says so when nothing does", async () => {
    await page.getByLabel("With these words").fill("no such place");
    await page.getByText("No pattern fits the filter.").waitFor();
    await page.getByLabel("With these words").fill("");
    await page.getByLabel("At least so large").fill("3");
    await page.getByText(/fit the filter\.$|^\d[\d,]* patterns/).first().waitFor();
    const first = await drawings(page).first().locator("circle").count();
    assert.ok(first === 0 || first >= 3);
    await page.getByLabel("At least so large").fill("");
  });

  it("sets have a frame and no arrows", async () => {
    await page.getByLabel("Kind of pattern").selectOption("itemsets");
    await page.getByRole("heading", { name: "Frequent itemsets" }).waitFor();
    await page.locator("svg.plot rect.frame").first().waitFor();
    assert.equal(await page.locator("svg.plot path.tip").count(), 0);
  });

  it("subgraphs are drawn, and their drawings are saved in light colours", async () => {
    await page.getByLabel("Kind of pattern").selectOption("subgraphs");
    // All places look alike: shapes recur even in a small city.
    await field(page, "labels").locator("select").selectOption("same");
    await page.getByRole("heading", { name: "Frequent subgraphs" }).waitFor();
    await drawings(page).first().locator("line").first().waitFor({ state: "attached" });
    await page.getByText(/nodes? of the shape/).waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save “Frequent subgraphs” as SVG" }).click()]);
    const svg = (await readFile(await download.path())).toString();
    assert.match(svg, /<rect[^>]*fill="#ffffff"/);
    assert.match(svg, /<circle/);
    assert.deepEqual(await bench.violations(page), []);
  });

  it("a support that cannot be is refused at its field, and one too large finds nothing", async () => {
    const support = field(page, "min-support").locator("input");
    await support.fill("1000000");
    await page.getByText("Nothing is as frequent as that: try a smaller support.").waitFor();
    await support.fill("none");
    await page.getByText("A whole number, please.").waitFor();
  });

  it("patterns of a release are counted among its records, and the copied commands find them again", async () => {
    const own = await bench.page();
    await sample(own, "Clicks", 300);
    await choose(own, "suppress");
    await fill(own, "k", "3");
    await run(own);
    await own.getByRole("link", { name: "Look at the result" }).waitFor();
    await step(own, "Patterns");
    await own.getByText(/of 300 people/).waitFor();
    await own.getByLabel("Look in").selectOption({ index: 1 });
    const sentence = own.getByText(/^\d[\d,]* patterns with at least \d+ of \d+ records/);
    await sentence.waitFor();
    const [, found, least] = /^(\d[\d,]*) patterns with at least (\d+)/.exec(await sentence.innerText());
    // Items that are no places are not called places.
    assert.equal(await own.getByText(/\bplaces\b/).count(), 0);
    assert.deepEqual(await bench.violations(own), []);
    await own.getByRole("button", { name: "Copy as recipe or command" }).click();
    const text = own.getByLabel("Command", { exact: true }).filter({ hasText: "throng mine patterns release/release.csv" });
    await text.waitFor();
    const command = await text.textContent();
    const [download] = await Promise.all([own.waitForEvent("download"), own.getByRole("link", { name: /^Save the files that they name/ }).click()]);
    const folder = await mkdtemp(join(tmpdir(), "throng-patterns-"));
    try {
      await execute("python3", ["-m", "zipfile", "-e", await download.path(), folder]);
      const words = command.replaceAll("throng ", `${THRONG} `).replace("--method", "--no-ledger --method").replace("--top 100", "--json --quiet");
      const { stdout } = await execute("sh", ["-c", words], { cwd: folder, maxBuffer: 1 << 26 });
      const answer = JSON.parse(stdout.slice(stdout.indexOf("{")));
      assert.equal(answer.patterns.length, Number(found.replaceAll(",", "")));
      assert.ok(answer.patterns.every((pattern) => pattern.support >= Number(least)));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    await own.context().close();
  });

  it("the pages logged no error", () => assert.deepEqual(bench.complaints, []));
});
