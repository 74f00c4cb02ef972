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
    await page.getByText(/^Somebody who knows 4 attributes of a person finds exactly that person in (9\d|100)/).waitFor();
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

  it("sets: from the sample to a result that holds", async () => {
    const page = await bench.page();
    await sample(page, "Baskets", 600);
    await step(page, "Risk today");
    await page.getByText(/^Somebody who knows/).waitFor();
    await choose(page, "apriori");
    await fill(page, "k", "3");
    await run(page);
    await page.getByRole("link", { name: "Look at the result" }).click();
    await page.getByRole("heading", { name: "The promise holds" }).waitFor();
    assert.deepEqual(await bench.violations(page), [], "result");
    await publish(page);
    await page.context().close();
  });

  it("nothing complained", () => assert.deepEqual(bench.complaints, []));
});
