// Unusual files: fifty columns, names without end, writing from right to left, a taxonomy of two megabytes.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Bench, part, step, tooWide } from "./bench.mjs";

const LONG = `A place with a name that goes on ${"and on ".repeat(30)}`.trim();
const ITEMS = [LONG, "مستشفى الملك فيصل", "בית חולים", "東京駅", "<b>bold</b><script>alert(1)</script>", "a,b", "=SUM(A1)"];

const file = (name, lines) => ({ name, mimeType: "text/csv", buffer: Buffer.from(`${lines.join("\n")}\n`) });

describe("unusual files", () => {
  let bench;
  let page;
  before(async () => {
    bench = await Bench.open();
    page = await bench.page({ width: 400 });
  });
  after(() => bench.close());

  const open = async (what) => {
    await page.goto(`${bench.origin}/#/`);
    await page.setInputFiles("input[type=file]", what);
    await page.getByRole("heading", { level: 1, name: "Data" }).waitFor();
  };
  const fine = async (where) => {
    await page.waitForLoadState("networkidle");
    assert.deepEqual(await bench.violations(page), [], where);
    assert.equal(await tooWide(page), false, `${where} is wider than the window`);
  };

  it("fifty columns, on a narrow screen", async () => {
    const columns = ["subject", "item", ...Array.from({ length: 48 }, (_, i) => `extra ${i}`)];
    await open(file("fifty.csv", [columns.join(","), ...Array.from({ length: 200 }, (_, row) => [`p${row % 40}`, `i${row % 9}`, ...columns.slice(2).map((_, i) => (row * i) % 7)].join(","))]));
    await page.getByRole("button", { name: "Confirm the roles" }).click();
    await page.getByText("48 columns are left out").waitFor();
    for (const name of ["Rows", "Histograms"]) {
      await part(page, name);
      await fine(name);
    }
  });

  it("long names, writing from right to left, and text that looks like markup", async () => {
    await open(file(`${"a long name ".repeat(12)}مثال.csv`, ['subject,item,"a column whose name is longer than any screen is wide, and then some"', ...Array.from({ length: 70 }, (_, row) => `p${row % 10},"${ITEMS[(row * 3) % ITEMS.length]}",${row}`)]));
    await page.getByRole("button", { name: "Confirm the roles" }).click();
    await page.getByText("10 people").first().waitFor();
    await fine("columns");
    for (const name of ["Rows", "Histograms"]) {
      await part(page, name);
      await fine(name);
    }
    await page.locator("svg.plot text", { hasText: "<b>bold</b>" }).first().waitFor();
    for (const name of ["Risk today", "Promise and method"]) {
      await page.getByRole("button", { name: /^Step \d+ of 10/ }).click();
      await step(page, name);
      await fine(name);
    }
  });

  it("a taxonomy of two megabytes opens group by group", async () => {
    const items = Array.from({ length: 20_000 }, (_, i) => `an item with a somewhat longer name, number ${i}`);
    await open(file("many.csv", ["subject,item", ...items.map((item, i) => `p${i % 900},"${item}"`)]));
    await page.getByRole("button", { name: "Confirm the roles" }).click();
    await page.getByText("900 people").first().waitFor();
    const project = /#\/p\/[^/]+/.exec(page.url())[0];
    await page.goto(`${bench.origin}/${project}/meaning/taxonomy`);
    // The page is drawn again when its answers come: a file that was given before is lost.
    await page.getByText("not given").waitFor();
    await page.waitForLoadState("networkidle");
    const taxonomy = file("taxonomy.csv", items.map((item, i) => `"${item}";a group of things that belong together ${i % 40};everything`));
    assert.ok(taxonomy.buffer.length > 2_000_000 * 0.9);
    await page.locator("input[type=file]").setInputFiles(taxonomy);
    const group = page.getByRole("treeitem", { name: /together 0 500 items/ });
    await group.click();
    await page.keyboard.press("ArrowRight");
    const more = page.getByRole("treeitem", { name: "Show more of the other 300" });
    await more.click();
    await page.getByRole("treeitem", { name: "Show more of the other 100" }).waitFor();
    await fine("taxonomy");
  });

  it("an empty file is refused where it was dropped", async () => {
    await page.goto(`${bench.origin}/#/`);
    await page.setInputFiles("input[type=file]", { name: "empty.csv", mimeType: "text/csv", buffer: Buffer.alloc(0) });
    await page.getByRole("alert").waitFor();
    await fine("refusal");
  });

  it("the pages logged no error but the refusal that was asked for", () => {
    assert.deepEqual(bench.complaints.filter((text) => !/status of 422/.test(text)), []);
  });
});
