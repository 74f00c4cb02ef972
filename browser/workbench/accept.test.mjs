// What is refused until the publisher accepts it deliberately, and what the release says of itself afterwards.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Bench, choose, fill, run, sample, step } from "./bench.mjs";

describe("a run that is refused until it is accepted", () => {
  let bench;
  let page;
  before(async () => {
    bench = await Bench.open();
    page = await bench.page();
  });
  after(() => bench.close());

  const settings = async (method, values) => {
    await choose(page, method);
    for (const [name, value] of Object.entries(values)) await fill(page, name, value);
  };

  /** The button works only after the box was ticked. */
  const accept = async (box, button) => {
    const again = page.getByRole("button", { name: button });
    await again.waitFor();
    assert.ok(await again.isDisabled());
    assert.deepEqual(await bench.violations(page), []);
    await page.getByLabel(box).check();
    await again.click();
    await page.getByRole("link", { name: "Look at the result" }).click();
  };

  it("columns that single people out: the verdict is never a plain success", async () => {
    await sample(page, "Patients", 400);
    await settings("bf-p2ka", { k: "3" });
    for (const column of ["age", "sex"]) await page.getByRole("checkbox", { name: new RegExp(`^${column} `) }).check();
    await run(page);
    await page.getByText(/the published columns single people out/i).first().waitFor();
    await accept("I accept that the published columns do not keep the promise", "Run it again and accept the columns");
    await page.getByRole("heading", { name: "The events keep the promise; the published columns do not" }).waitFor();
    assert.equal(await page.getByRole("heading", { name: "The promise holds" }).count(), 0);
    assert.deepEqual(await bench.violations(page), []);
    await step(page, "Publish");
    await page.getByLabel("I accept that the published columns do not keep the promise").waitFor();
    await page.getByRole("heading", { name: "The events keep the promise; the published columns do not" }).waitFor();
    assert.deepEqual(await bench.violations(page), []);
  });

  it("a release with nothing left in it: the verdict on its use is shown as large as the one on its promise", async () => {
    await page.goto(`${bench.origin}/#/`);
    await sample(page, "Patients", 400);
    await settings("lkc", { L: "1", K: "3", C: "100%" });
    await run(page);
    await accept("I want a release even if nothing of use is left in it.", "Run it again and allow an empty release");
    await page.getByRole("heading", { name: "Of little use" }).waitFor();
    await step(page, "Publish");
    await page.getByLabel("I publish it although it is of little use").waitFor();
  });

  it("a column that identifies people directly is accepted by name", async () => {
    await page.goto(`${bench.origin}/#/`);
    const rows = Array.from({ length: 60 }, (_, i) => `${i},person${i}@example.org,${20 + (i % 30)},${["flu", "cold"][i % 2]}`);
    const buffer = Buffer.from(`id,mail,age,ill\n${rows.join("\n")}\n`);
    await page.getByLabel("Choose a file").setInputFiles({ name: "people.csv", mimeType: "text/csv", buffer });
    await page.getByRole("heading", { level: 1, name: "Data" }).waitFor();
    await page.getByRole("radio", { name: "A table of people" }).check();
    for (const [column, role] of [["mail", "quasi-identifying"], ["age", "quasi-identifying"], ["ill", "sensitive"]]) await page.getByLabel(`Role of ${column}`).selectOption(role);
    await page.getByRole("button", { name: "Confirm the roles" }).click();
    await settings("mondrian", { k: "3" });
    await run(page);
    await accept("I accept that “mail” is published although it identifies people directly", "Run it again and publish “mail”");
    await page.getByRole("heading", { name: "The promise holds" }).waitFor();
  });

  it("the pages logged no error", () => assert.deepEqual(bench.complaints, []));
});
