// Lists beside the data, entry by entry: queries with items and conditions, a policy, constraints; generated, edited, undone, exported, brought back.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { Bench, sample, step } from "./bench.mjs";

/** Types into a picker and takes what is offered first. */
async function pick(place, label, text) {
  await place.getByRole("combobox", { name: label }).fill(text);
  await place.getByRole("listbox", { name: label }).getByRole("option", { name: text }).first().click();
}

/** The text of the file that is exported. */
async function exported(page) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Export the file" }).click()]);
  return readFile(await download.path(), "utf8");
}

describe("lists beside the data", () => {
  let bench;
  before(async () => (bench = await Bench.open()));
  after(() => bench.close());

  it("queries on a table: a range and a value, changed, removed and brought back", async () => {
    const page = await bench.page();
    await page.getByLabel("Number of people in a sample world").fill("300");
    await page.getByRole("button", { name: "as a table" }).click();
    await page.getByText(/^300 people, a row each/).waitFor();
    await step(page, "Meaning");
    await page.getByRole("link", { name: /^Query workload/ }).click();
    const list = page.getByRole("region", { name: "Queries", exact: true }).first();
    await page.getByRole("button", { name: "Add a query" }).click();
    const form = page.getByRole("form", { name: "Edit the new query" });
    await form.getByRole("button", { name: "Add a condition on a column" }).click();
    await form.getByLabel("Column").selectOption("age");
    await form.getByLabel("age from").fill("20");
    await form.getByLabel("age to").fill("39");
    await form.getByRole("button", { name: "Add a condition on a column" }).click();
    const second = form.getByRole("group").nth(1);
    await second.getByLabel("Column").selectOption("sex");
    await pick(form, "Value of sex", "f");
    assert.deepEqual(await bench.violations(page), [], "the form of a query");
    await form.getByRole("button", { name: "Save" }).click();
    await list.locator("bdi").getByText(/^age from 20 to 39; sex is f/).waitFor();
    assert.match(await exported(page), /^age = 20\.\.39; sex = f/);

    await list.getByRole("button", { name: "Edit age" }).click();
    const changed = page.getByRole("form", { name: "Edit query 1" });
    await changed.getByLabel("age to").fill("49");
    await changed.getByRole("button", { name: "Save" }).click();
    await list.locator("bdi").getByText(/^age from 20 to 49/).waitFor();
    await list.getByRole("button", { name: "Remove age" }).click();
    await page.getByText("not given").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await list.locator("bdi").getByText(/^age from 20 to 49/).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await list.locator("bdi").getByText(/^age from 20 to 39/).waitFor();

    await page.getByLabel("Number of queries").fill("45");
    await page.getByRole("button", { name: "Make one from the data" }).click();
    await list.getByRole("heading", { name: "45 queries" }).waitFor();
    await page.getByRole("button", { name: "Page 3" }).click();
    await list.getByText("41–45 of 45").waitFor();
    assert.deepEqual(await bench.violations(page), [], "a list of queries");
    await page.context().close();
  });

  it("a policy and constraints of baskets are made of items that complete themselves", async () => {
    const page = await bench.page();
    await sample(page, "Baskets", 300);
    await step(page, "Meaning");
    await page.getByRole("link", { name: /^Privacy policy/ }).click();
    await page.getByRole("button", { name: "Add a privacy constraint" }).click();
    const form = page.getByRole("form", { name: "Edit the new privacy constraint" });
    await form.getByRole("combobox", { name: "Add an item" }).focus();
    const first = await form.getByRole("option").first().locator("bdi").textContent();
    await form.getByRole("option").first().click();
    await form.getByRole("combobox", { name: "Add an item" }).fill("zz-not-there");
    await form.getByText("Nothing of that name").waitFor();
    await page.keyboard.press("Escape");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByRole("region", { name: "Privacy constraints" }).first().getByRole("cell", { name: first, exact: true }).waitFor();
    assert.equal((await exported(page)).trim().split("\n").at(-1), first);

    await page.getByRole("link", { name: /^Utility constraints/ }).click();
    await page.getByLabel("Number of groups").fill("4");
    await page.getByRole("button", { name: "Make one from the data" }).click();
    await page.getByRole("heading", { name: "4 sets of items" }).waitFor();
    const text = await exported(page);
    await page.getByRole("button", { name: /^Remove .*/ }).nth(1).click();
    await page.getByRole("heading", { name: "3 sets of items" }).waitFor();
    await page.getByLabel("Import a file").setInputFiles({ name: "mine.txt", mimeType: "text/plain", buffer: Buffer.from(text) });
    await page.getByRole("heading", { name: "4 sets of items" }).waitFor();
    assert.equal(await exported(page), text);
    assert.deepEqual(await bench.violations(page), []);
    await page.context().close();
  });

  it("the pages logged no error", () => assert.deepEqual(bench.complaints, []));
});
