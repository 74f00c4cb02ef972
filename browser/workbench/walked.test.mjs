// What a user met who went through every screen with data of their own: one test for each obstacle.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { Bench, choose, fill, part, projectOf, run, runLong, sample, step } from "./bench.mjs";

const csv = (name, lines) => ({ name, mimeType: "text/csv", buffer: Buffer.from(`${lines.join("\n")}\n`) });

async function saved(page, button) {
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return (await readFile(await download.path())).toString();
}

describe("obstacles that a user met", () => {
  let bench;
  before(async () => (bench = await Bench.open()));
  after(() => bench.close());

  /** A project of one's own files, with roles confirmed. */
  async function open(...files) {
    const page = await bench.page();
    await page.getByLabel("Choose a file").setInputFiles(files);
    if (files.length > 1) await page.getByRole("button", { name: "Open them together" }).click();
    await page.getByRole("heading", { level: 1, name: "Data" }).waitFor();
    await page.getByRole("button", { name: "Confirm the roles" }).click();
    await page.getByText("The roles are confirmed.").waitFor();
    return page;
  }

  it("a group of 625 items is not removed before the user agrees, and comes back", async () => {
    const items = Array.from({ length: 650 }, (_, i) => `item ${i}`);
    const page = await open(csv("many.csv", ["subject,item", ...items.map((item, i) => `p${i % 50},${item}`)]));
    await step(page, "Meaning");
    await page.getByRole("link", { name: /^Taxonomy/ }).click();
    await page.locator("input[type=file]").setInputFiles(csv("taxonomy.csv", items.map((item, i) => `${item};${i < 625 ? "the many" : "the few"};all`)));
    const group = page.getByRole("treeitem", { name: /^the many 625 items/ });
    await group.click();
    let asked = "";
    page.once("dialog", (dialog) => void ((asked = dialog.message()), dialog.accept()));
    await page.getByRole("button", { name: /^Remove Del/ }).click();
    await group.waitFor({ state: "detached" });
    assert.match(asked, /Its 625 items then belong to “all”/);
    await page.getByRole("button", { name: /^Undo/ }).click();
    await group.waitFor();
    await page.context().close();
  });

  it("places with long names keep their dots on the map when they became one", async () => {
    const name = (i) => `A place with a name that is rather long, so that two of them fill a line: number ${i}`;
    const trips = Array.from({ length: 60 }, (_, i) => [`p${i},"${name(i % 12)}"`, `p${i},"${name((i * 5 + 1) % 12)}"`]).flat();
    const places = Array.from({ length: 12 }, (_, i) => `"${name(i)}",${52 + (i % 4) / 50},${13 + Math.floor(i / 4) / 50}`);
    const page = await open(csv("trips.csv", ["subject,item", ...trips]), csv("places.csv", ["item,lat,lon", ...places]));
    await choose(page, "seqanon");
    await fill(page, "k", "15");
    await run(page);
    await page.getByRole("link", { name: "Look at the result" }).click();
    await page.locator("[data-drawn]").nth(1).waitFor();
    const picture = await saved(page, page.getByRole("button", { name: "Save “After” as SVG" }));
    assert.ok((picture.match(/<circle/g) ?? []).length >= 12, "a place has no dot");
    // Distances say their unit, losses are shares of a hundred.
    await page.getByRole("row", { name: /^Distance.*\d (m|km)$/ }).first().waitFor();
    await page.getByRole("row", { name: /share.*\d%$/i }).first().waitFor();
    assert.equal(await page.getByRole("row", { name: /metres.*\d$/ }).count(), 0, "metres without a unit");
    // Curves differ in their dash, and a dash has no other meaning.
    const dashed = await page.evaluate(() => [...document.querySelectorAll("svg *")].filter((one) => !["none", ""].includes(getComputedStyle(one).strokeDasharray)).map((one) => one.getAttribute("class") ?? one.tagName));
    assert.ok(dashed.length > 0 && dashed.every((of) => /curve|look/.test(of)), `dashed: ${[...new Set(dashed)]}`);
    await page.context().close();
  });

  it("bars are as wide as what they stand for, and times have the ticks of a calendar", async () => {
    const lengths = Array.from({ length: 40 }, (_, i) => (i % 8 === 0 ? 40 + 9 * i : 1 + (i % 6)));
    const rows = lengths.flatMap((length, person) => Array.from({ length }, (_, i) => `p${person},i${i % 7},2024-${String(1 + (i % 12)).padStart(2, "0")}-${String(1 + (person % 28)).padStart(2, "0")} 08:00`));
    const page = await open(csv("logs.csv", ["user_id,page,time", ...rows]));
    await part(page, "Histograms");
    const plot = page.locator("svg.plot[aria-label^='How long the records are']");
    await plot.waitFor();
    const bars = await plot.locator("rect").evaluateAll((all) => all.map((bar) => ({ width: bar.width.baseVal.value, label: bar.querySelector("title").textContent })));
    const span = ({ label }) => {
      const [, from, to = from] = /^(\d+)(?: to (\d+)|[–-](\d+))?/.exec(label.replace(/^(\d+)[–-](\d+)/, "$1 to $2"));
      return Number(to) - Number(from) + 1;
    };
    const spans = bars.map(span);
    assert.ok(Math.max(...spans) > Math.min(...spans), `equal bars: ${bars.map(({ label }) => label)}`);
    // The last range ends with the longest record, which its words do not say.
    const wide = bars.slice(0, -1).filter((bar) => span(bar) >= 4);
    const steps = wide.map((bar) => (bar.width + 1) / span(bar));
    assert.ok(Math.max(...steps) / Math.min(...steps) < 1.25, `not to scale: ${steps}`);
    const when = page.locator("svg.plot[aria-label^='When things happened']");
    const texts = await when.locator("text").allTextContents();
    assert.ok(texts.some((text) => /^(2024|[A-Z][a-z]+ ?\d*)$/.test(text)), `no month among ${texts}`);
    await page.context().close();
  });

  it("presets speak of what the data are made of", async () => {
    const words = { City: /places/, Clicks: /pages/ };
    for (const [world, word] of Object.entries(words)) {
      const page = await bench.page();
      await sample(page, world, 300);
      await step(page, "Promise and method");
      await page.getByText(new RegExp(`Two known ${word.source} identify no one`)).first().waitFor();
      if (world !== "City") assert.equal(await page.getByText("two places").count(), 0);
      await page.context().close();
    }
  });

  it("what was expected before a run stands beside its progress, in the same words", async () => {
    const page = await bench.page();
    // Something else runs, so that the next one waits and can be looked at.
    await runLong(page);
    await choose(page, "seqanon");
    const before = page.getByRole("complementary", { name: "Before you run" });
    const expected = (await before.locator(".big").innerText()).toLowerCase();
    await run(page);
    const waiting = page.locator("p", { hasText: "in all)" });
    await waiting.waitFor();
    assert.ok((await waiting.innerText()).toLowerCase().includes(`expected (${expected} in all)`), `${expected} is not in ${await waiting.innerText()}`);
    const jobs = await page.evaluate((address) => fetch(address).then((answer) => answer.json()), `/api/projects/${projectOf(page)}/jobs`);
    for (const { id } of jobs) await page.evaluate((address) => fetch(address, { method: "POST" }), `/api/jobs/${id}/cancel`);
    await page.context().close();
  });

  it("two files that are dropped are both there, wherever they fall", async () => {
    const page = await open(csv("trips.csv", ["subject,item", ...Array.from({ length: 12 }, (_, i) => `p${i},i${i % 3}`)]));
    const dropped = await page.evaluateHandle(() => {
      const hand = new DataTransfer();
      hand.items.add(new File(["subject,item\na,x\nb,y\n"], "one.csv", { type: "text/csv" }));
      hand.items.add(new File(["item,x,y\nx,0,0\ny,1,1\n"], "two.csv", { type: "text/csv" }));
      return hand;
    });
    // Not on the place for files: somewhere on a screen of an open project.
    await page.locator("main").dispatchEvent("drop", { dataTransfer: dropped });
    const list = page.getByRole("region", { name: "Several files" });
    await list.getByLabel("What one.csv is").waitFor();
    await list.getByLabel("What two.csv is").waitFor();
    await page.context().close();
  });

  it("a filter that takes long says so until its rows are there", async () => {
    const page = await open(csv("trips.csv", ["subject,item", ...Array.from({ length: 60 }, (_, i) => `p${i % 9},i${i % 5}`)]));
    await part(page, "Rows");
    await page.getByRole("gridcell").first().waitFor();
    let release;
    const gate = new Promise((done) => (release = done));
    await page.route(/\/rows\?.*i3/, async (route) => {
      await gate;
      await route.continue();
    });
    await page.getByLabel("Show rows with").fill("i3");
    await page.getByText("Looking through the rows").waitFor();
    release();
    await page.getByText("Looking through the rows").waitFor({ state: "detached" });
    await page.getByText(/of 12$/).waitFor();
    await page.context().close();
  });

  it("an error names what is on the screen, and no flag", async () => {
    const page = await bench.page();
    const rows = Array.from({ length: 30 }, (_, i) => `u${i % 6},i${i % 4},${i === 17 ? "soon" : `2024-01-${10 + (i % 15)}`}`);
    await page.getByLabel("Choose a file").setInputFiles(csv("visits.csv", ["user_id,place,time", ...rows]));
    await page.getByRole("heading", { level: 1, name: "Data" }).waitFor();
    await page.getByRole("alert").first().waitFor();
    const said = await page.getByRole("alert").allInnerTexts();
    assert.match(said.join(" "), /soon|line 19|text of 4/);
    for (const text of said) assert.ok(!/(^|\s|`)--[a-z]/.test(text), `a flag is named: ${text}`);
    await page.context().close();
  });

  it("the pages logged no error", () => assert.deepEqual(bench.complaints, []));
});
