// Tables and sets go the same ten steps as sequences, from the sample to what may be published.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Bench, choose, fill, part, publish, run, sample, step } from "./bench.mjs";

describe("a table and sets", () => {
  let bench;
  before(async () => (bench = await Bench.open()));
  after(() => bench.close());

  it("a table: roles and types, histograms, the attacker, a method, a result that holds", async () => {
    const page = await bench.page();
    await page.getByLabel("Number of people in a sample world").fill("600");
    await page.getByRole("button", { name: "as a table" }).click();
    await page.getByText(/^600 people, a row each; 4 columns may identify together/).waitFor();
    assert.ok(await page.getByRole("radio", { name: "A table of people" }).isChecked());
    assert.deepEqual(await bench.violations(page), [], "columns");
    await part(page, "Histograms");
    await page.getByRole("heading", { name: "age" }).first().waitFor();
    await step(page, "Meaning");
    await page.getByRole("link", { name: /^Hierarchy of sex/ }).click();
    await page.getByRole("tree").getByRole("treeitem").first().waitFor();
    assert.deepEqual(await bench.violations(page), [], "meaning");
    await step(page, "Risk today");
    await page.getByText(/^An attacker who knows 4 attributes of a person finds exactly that person in (9\d|100)/).waitFor();
    assert.deepEqual(await bench.violations(page), [], "risk");
    await choose(page, "mondrian");
    await fill(page, "k", "3");
    await run(page);
    await page.getByRole("link", { name: "Look at the result" }).click();
    await page.getByRole("heading", { name: "The promise holds" }).waitFor();
    await page.getByText("suppressed rows").waitFor();
    assert.deepEqual(await bench.violations(page), [], "result");
    await publish(page);
    assert.deepEqual(await bench.violations(page), [], "publish");
    await page.context().close();
  });

  it("a table: what is not ticked is withheld, and the page says so", async () => {
    const page = await bench.page();
    await page.getByLabel("Number of people in a sample world").fill("300");
    await page.getByRole("button", { name: "as a table" }).click();
    await page.getByText(/^300 people, a row each; 4 columns may identify together/).waitFor();
    await choose(page, "mondrian");
    await fill(page, "k", "3");
    const ticks = page.getByRole("group", { name: "Columns to publish" });
    const boxes = ticks.getByRole("checkbox");
    const names = await ticks.locator("label").evaluateAll((labels) => labels.map((label) => label.firstElementChild.nextSibling.textContent.trim()));
    for (const box of await boxes.all()) await box.uncheck();
    await ticks.getByText(`Withheld: ${names.join(", ")}.`).waitFor();
    await ticks.getByText(/none of them is ticked: columns that are not ticked are withheld/).waitFor();
    assert.ok(await page.getByRole("complementary", { name: "Before you run" }).getByRole("button", { name: "Run" }).isDisabled());
    assert.deepEqual(await bench.violations(page), [], "nothing ticked");
    await ticks.getByRole("checkbox", { name: /^age / }).check();
    await ticks.getByText(/none of them is ticked/).waitFor({ state: "detached" });
    // What was ticked is kept, as all that was chosen is.
    await page.reload();
    assert.deepEqual(await boxes.evaluateAll((all) => all.filter((box) => box.checked).length), 1);
    await run(page);
    await page.getByRole("link", { name: "Look at the result" }).click();
    await page.getByRole("heading", { name: "The promise holds" }).waitFor();
    await publish(page);
    const file = await page.locator('a[href*="/files/records.csv"]').first().getAttribute("href");
    const text = await page.evaluate((address) => fetch(address).then((answer) => answer.text()), file);
    assert.equal(text.split("\n")[0], "record,age");
    await page.context().close();
  });

  it("sets: from the sample to a result that holds", async () => {
    const page = await bench.page();
    await sample(page, "Baskets", 600);
    await step(page, "Risk today");
    await page.getByText(/^An attacker who knows/).waitFor();
    await choose(page, "apriori");
    await fill(page, "k", "3");
    await run(page);
    await page.getByRole("link", { name: "Look at the result" }).click();
    await page.getByRole("heading", { name: "The promise holds" }).waitFor();
    assert.deepEqual(await bench.violations(page), [], "result");
    await publish(page);
    await page.context().close();
  });

  it("the pages logged no error", () => assert.deepEqual(bench.complaints, []));
});
