// Plots and maps that can be taken along, comparisons of tables, and measures that are asked afterwards.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { Bench, choose, fill, part, run, sample, step } from "./bench.mjs";

async function saved(page, button) {
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return readFile(await download.path());
}

describe("plots and maps", () => {
  let bench;
  before(async () => (bench = await Bench.open()));
  after(() => bench.close());

  it("a comparison of a table draws the error of queries, shows how far runs are apart, and a run can be used", async () => {
    const page = await bench.page();
    await page.getByLabel("Number of people in a sample world").fill("300");
    await page.getByRole("button", { name: "as a table" }).click();
    await page.getByText(/^300 people, a row each/).waitFor();
    await step(page, "Compare");
    await page.locator('input[value="mondrian"]').check();
    await page.getByLabel("these values").check();
    await page.getByLabel("values", { exact: true }).fill("3, 9");
    await page.getByLabel("Repeat each run").fill("2");
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await page.getByRole("heading", { name: "Every run" }).waitFor();
    await page.getByRole("heading", { name: "Average relative error of the queries that match at least one person" }).waitFor();
    await page.getByText("Each run was repeated 2 times").waitFor();
    assert.deepEqual(await bench.violations(page), []);
    await page.getByRole("button", { name: /^Use this run.*k = 9$/ }).click();
    await page.getByRole("heading", { level: 1, name: "Promise and method" }).waitFor();
    await page.getByRole("heading", { name: /^Mondrian/ }).waitFor();
    await page.getByRole("complementary", { name: "Before you run" }).getByRole("button", { name: "Run" }).click();
    await page.getByRole("link", { name: "Look at the result" }).click();
    const further = page.getByRole("region", { name: "Further measures" });
    await further.getByLabel("Measure").selectOption("queries");
    await further.getByText("Average relative error of the queries that match at least one person").waitFor();
    assert.deepEqual(await bench.violations(page), [], "result");
    const csv = await saved(page, page.getByRole("button", { name: /^Save “Time by phase” as CSV/ }));
    assert.match(csv.toString(), /^phase,seconds\nread,/);
    await page.context().close();
  });

  it("exports are light on a dark page, and a map is one of them", async () => {
    const page = await bench.page({ dark: true });
    await sample(page, "Metro", 300);
    await part(page, "Histograms");
    const plot = await saved(page, page.getByRole("button", { name: "Save “How long the records are” as SVG" }));
    assert.match(plot.toString(), /<rect[^>]*fill="#ffffff"/);
    assert.ok(!/fill="rgb\(230, 236, 238\)"/.test(plot.toString()), "dark ink");
    await part(page, "Map");
    await page.locator("[data-drawn]").waitFor();
    const svg = (await saved(page, page.getByRole("button", { name: "Save “Where” as SVG" }))).toString();
    assert.match(svg, /<circle/);
    assert.match(svg, /people<\/text>/);
    const png = await saved(page, page.getByRole("button", { name: "Save “Where” as PNG" }));
    assert.equal(png.subarray(1, 4).toString(), "PNG");
    await page.getByLabel("Time", { exact: true }).press("ArrowRight");
    await page.getByLabel("who goes on to where").check();
    assert.deepEqual(await bench.violations(page), []);
    await page.context().close();
  });

  it("a group keeps its place when it is renamed, and a large one is not removed by a slip", async () => {
    const page = await bench.page();
    await sample(page, "City", 300);
    await step(page, "Meaning");
    await page.getByRole("link", { name: /^Taxonomy/ }).click();
    const tree = page.getByRole("tree");
    const groups = tree.getByRole("treeitem", { expanded: false });
    await groups.first().click();
    await groups.first().click();
    const open = tree.getByRole("treeitem", { expanded: true }).last();
    await open.focus();
    await page.keyboard.press("F2");
    await page.getByLabel("New name").fill("the quarter");
    await page.keyboard.press("Enter");
    await tree.getByRole("treeitem", { name: /^the quarter/, expanded: true }).waitFor();
    page.once("dialog", (dialog) => void dialog.dismiss());
    await page.getByRole("button", { name: /^Remove Del/ }).click();
    await tree.getByRole("treeitem", { name: /the quarter/ }).waitFor();
    await page.context().close();
  });

  it("the pages logged no error", () => assert.deepEqual(bench.complaints, []));
});
