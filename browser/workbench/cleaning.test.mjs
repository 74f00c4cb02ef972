// Cleaning many rows at once: the filter and the place stay, and undo takes back each step.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Bench, part, sample, step } from "./bench.mjs";

const FILE = ["user;city;age", ...Array.from({ length: 60 }, (_, i) => `p${i};${i % 3 === 0 ? "Berlin (old)" : "Bonn"};${20 + (i % 40)}`)].join("\n");

describe("cleaning", () => {
  let bench;
  before(async () => (bench = await Bench.open()));
  after(() => bench.close());

  it("rows that fit a filter are changed and deleted, rows and columns are added", async () => {
    const page = await bench.page();
    await page.getByLabel("Choose a file").setInputFiles({ name: "people.csv", mimeType: "text/csv", buffer: Buffer.from(FILE) });
    await page.getByRole("heading", { level: 1, name: "Data" }).waitFor();
    await part(page, "Rows");
    const pages = page.getByRole("navigation", { name: "Pages of rows" });
    await pages.getByText("1–15 of 60").waitFor();
    await page.getByText("Change many rows, add rows and columns").click();
    assert.deepEqual(await bench.violations(page), []);

    await page.getByLabel("Show rows with").fill("city=berlin");
    await pages.getByText("1–15 of 20").waitFor();
    await pages.getByRole("button", { name: "Page 2" }).click();
    await pages.getByText("16–20 of 20").waitFor();
    const replacing = page.getByRole("form", { name: "Replace values" });
    await replacing.getByLabel("In column").selectOption("city");
    await replacing.getByLabel("replace").selectOption("a part of the text");
    await replacing.getByRole("textbox", { name: "the text" }).fill(" (old)");
    await replacing.getByRole("button", { name: "Replace in the 20 rows that fit" }).click();
    await page.getByRole("gridcell", { name: "Berlin", exact: true }).first().waitFor();
    await pages.getByText("16–20 of 20").waitFor();
    assert.equal(await page.getByLabel("Show rows with").inputValue(), "city=berlin");

    await page.getByRole("form", { name: "Delete rows" }).getByRole("button").click();
    await page.getByText("No rows fit.").waitFor();
    await page.getByLabel("Show rows with").fill("");
    await pages.getByText("1–15 of 40").waitFor();
    await page.getByRole("button", { name: /^Undo/ }).click();
    await pages.getByText("1–15 of 60").waitFor();

    const adding = page.getByRole("form", { name: "Add a row" });
    await adding.getByLabel("user").fill("p99");
    await adding.getByLabel("city").fill("Ulm");
    await adding.getByRole("button", { name: "Add this row" }).click();
    await pages.getByText("1–15 of 61").waitFor();
    const column = page.getByRole("form", { name: "Add a column" });
    await column.getByLabel("New column").fill("country");
    await column.getByLabel("with the value").fill("DE");
    await column.getByRole("button", { name: "Add this column" }).click();
    await page.getByRole("columnheader", { name: "country" }).waitFor();
    await page.getByRole("button", { name: /^Undo/ }).click();
    await page.getByRole("columnheader", { name: "country" }).waitFor({ state: "detached" });
    await page.context().close();
  });

  it("the attributes of people are edited like the data, and undo takes it back", async () => {
    const page = await bench.page();
    await sample(page, "Patients", 200);
    await step(page, "Meaning");
    await page.getByRole("link", { name: /^Attributes of people/ }).click();
    const cell = page.getByRole("grid").getByRole("row").nth(1).getByRole("gridcell").nth(2);
    const before = (await cell.textContent()).trim();
    await cell.dblclick();
    await page.getByRole("grid").getByRole("textbox").fill("77");
    await page.keyboard.press("Enter");
    await page.getByRole("gridcell", { name: "77", exact: true }).first().waitFor();
    await page.getByRole("button", { name: /^Undo/ }).click();
    await cell.filter({ hasText: before }).waitFor();
    assert.deepEqual(await bench.violations(page), []);
    await page.context().close();
  });

  it("the pages logged no error", () => assert.deepEqual(bench.complaints, []));
});
