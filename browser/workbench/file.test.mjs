// A file of one's own: a column that is wrong, edits that are taken back.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Bench, part, step } from "./bench.mjs";

const STAYS = ["who,ward,day,memo"];
for (let person = 1; person <= 12; person += 1) {
  for (const [i, ward] of ["Emergency", "Surgery", "Recovery"].entries()) STAYS.push(`p${person},${ward},2024-03-0${i + 1},=cmd|${person}`);
}

describe("a file of one's own", () => {
  let bench;
  let page;
  before(async () => {
    bench = await Bench.open();
    page = await bench.page();
  });
  after(() => bench.close());

  it("roles are a guess until they are confirmed", async () => {
    // Dropped, as a person would; other tests choose the file.
    const dropped = await page.evaluateHandle((text) => {
      const hand = new DataTransfer();
      hand.items.add(new File([text], "stays.csv", { type: "text/csv" }));
      return hand;
    }, `${STAYS.join("\n")}\n`);
    const zone = page.getByRole("region", { name: "Your own file" });
    await zone.dispatchEvent("dragover", { dataTransfer: dropped });
    await zone.dispatchEvent("drop", { dataTransfer: dropped });
    await page.getByRole("heading", { level: 1, name: "Data" }).waitFor();
    await page.getByText("The roles are guessed").waitFor();
    const rail = page.getByRole("navigation", { name: "Steps" });
    assert.match(await rail.getByRole("link", { name: /^Data/ }).innerText(), /needs attention/);
  });

  it("a column given the wrong role is explained, with a way out, and can be put right", async () => {
    await page.getByLabel("Role of who").selectOption("subject");
    await page.getByLabel("Role of ward").selectOption("time");
    await page.getByLabel("Role of day").selectOption("item");
    await page.getByLabel("Role of memo").selectOption("none");
    await page.getByRole("button", { name: "Confirm the roles" }).click();
    const note = page.getByRole("alert").first();
    await note.waitFor();
    assert.match(await note.innerText(), /ward|time|expected/i);
    assert.deepEqual(await bench.violations(page), []);
    await page.getByLabel("Role of ward").selectOption("item");
    await page.getByLabel("Role of day").selectOption("time");
    await page.getByRole("button", { name: /Apply|Confirm the roles/ }).click();
    await page.getByText("12 people").first().waitFor();
    assert.equal(await page.getByRole("alert").count(), 0);
    await page.getByText("1 column is left out").waitFor();
  });

  it("a cell is edited with the keyboard and the edit is taken back and done again", async () => {
    await part(page, "Rows");
    const cell = page.getByRole("gridcell", { name: "Emergency" }).first();
    await cell.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type("Intensive care");
    await page.keyboard.press("Enter");
    await page.getByRole("gridcell", { name: "Intensive care" }).waitFor();
    await page.getByRole("button", { name: "Undo (1)" }).waitFor();
    await page.keyboard.press("Control+z");
    await page.getByRole("gridcell", { name: "Intensive care" }).waitFor({ state: "detached" });
    await page.keyboard.press("Control+y");
    await page.getByRole("gridcell", { name: "Intensive care" }).waitFor();
    await page.keyboard.press("Control+z");
    await page.getByRole("gridcell", { name: "Intensive care" }).waitFor({ state: "detached" });
    await page.keyboard.press("Control+Shift+z");
    await page.getByRole("gridcell", { name: "Intensive care" }).waitFor();
    await page.getByRole("button", { name: /^Undo/ }).click();
    await page.getByRole("gridcell", { name: "Intensive care" }).waitFor({ state: "detached" });
  });

  it("an item is renamed in every row at once", async () => {
    await page.getByText("Rename an item or a value in every row").click();
    const field = page.getByRole("combobox", { name: "Item" });
    await field.fill("Surgery");
    await page.getByRole("option", { name: /^Surgery/ }).waitFor();
    await field.press("Enter");
    await page.getByLabel("“Surgery” becomes").fill("Theatre");
    await page.getByRole("button", { name: "Rename", exact: true }).click();
    await page.getByRole("gridcell", { name: "Theatre" }).first().waitFor();
    assert.equal(await page.getByRole("gridcell", { name: "Surgery" }).count(), 0);
    await page.getByRole("button", { name: /^Undo/ }).click();
    await page.getByRole("gridcell", { name: "Surgery" }).first().waitFor();
  });

  it("rows are deleted and come back", async () => {
    await page.getByText(/of 36$/).waitFor();
    await page.getByRole("checkbox", { name: /^Choose row/ }).first().check();
    await page.getByRole("button", { name: "Delete 1 row" }).click();
    await page.getByText("of 35").waitFor();
    await page.getByRole("button", { name: /^Undo/ }).click();
    await page.getByText(/of 36$/).waitFor();
  });

  it("every column has a histogram, with the numbers in a table", async () => {
    await part(page, "Histograms");
    for (const column of ["who", "ward", "day", "memo"]) await page.getByRole("heading", { name: column, exact: true }).waitFor();
    await page.locator("svg.plot text", { hasText: "Surgery" }).first().waitFor();
    assert.deepEqual(await bench.violations(page), []);
    await part(page, "Map");
    await page.getByRole("link", { name: "Add places" }).waitFor();
  });

  it("the export does not run anything in a spreadsheet", async () => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Export CSV" }).click()]);
    const { readFile } = await import("node:fs/promises");
    const text = await readFile(await download.path(), "utf8");
    assert.ok(text.includes("Emergency"));
    assert.ok(!/(^|,)"?=cmd/m.test(text), "a formula is left");
  });

  it("methods that need what the file does not have say so and lead there", async () => {
    await step(page, "Promise and method");
    await page.getByText(/Not possible: needs the coordinates/).first().waitFor();
    await page.getByRole("link", { name: /^Add /  }).first().click();
    await page.getByRole("heading", { level: 1, name: "Meaning" }).waitFor();
  });

  it("a workload is made from the data, and undo takes it away", async () => {
    await page.getByRole("navigation", { name: "What can be added" }).getByRole("link", { name: /Query workload/ }).click();
    await page.getByRole("button", { name: "Make one from the data" }).click();
    await page.getByText("queries.csv, 100 lines").waitFor();
    await page.getByRole("button", { name: "Undo (1)" }).click();
    await page.getByText("not given").first().waitFor();
    await page.getByRole("button", { name: "Redo (1)" }).click();
    await page.getByText("queries.csv, 100 lines").waitFor();
  });

  it("a list with an error in it is refused where it was written", async () => {
    await page.getByRole("navigation", { name: "What can be added" }).getByRole("link", { name: /Sensitive items/ }).click();
    await page.getByText("As text", { exact: true }).click();
    await page.getByLabel("Sensitive items, as text").fill("Nowhere\n");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("alert").filter({ hasText: "Nowhere" }).waitFor();
  });

  it("the pages logged no error but the refusals that were asked for", () => {
    assert.deepEqual(bench.complaints.filter((text) => !/status of 422/.test(text)), []);
  });
});
