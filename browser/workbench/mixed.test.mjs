// Columns and sets together: a table with a column of sets, from the file to what may be published, and pairs of methods compared.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Bench, choose, fill, part, publish, run, step } from "./bench.mjs";

const CODES = ["A10", "A11", "B20", "B21", "B22", "C30", "C31", "C32"];

/** Patients with their codes: a row a person, one column with all of them. */
function patients(people) {
  const rows = Array.from({ length: people }, (_, i) => {
    const codes = CODES.filter((_, code) => (i * 7 + code * code * 5) % (3 + (code % 4)) === 0);
    return `p${i},${20 + ((i * 13) % 60)},${i % 2 ? "f" : "m"},${1000 + (i % 9)},${codes.join(" ")}`;
  });
  return `id,age,sex,zip,codes\n${rows.join("\n")}\n`;
}

const chooseFiles = (page, files) => page.locator("#file").setInputFiles(files.map(([name, text]) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) })));
const confirmed = (page) => page.getByText("The roles are confirmed.").waitFor();
const field = (place, name) => place.locator(".field").filter({ has: (place.page?.() ?? place).locator("code", { hasText: new RegExp(`^${name}$`) }) });

/** Opens a file of events and one of their people as one dataset, whose columns may identify together. */
async function openTogether(page, events, rows, form) {
  const people = rows.map(([id, age, sex]) => `${id},${age},${sex}`);
  await chooseFiles(page, [["events.csv", `subject,item\n${events.join("\n")}\n`], ["people.csv", `subject,age,sex\n${people.join("\n")}\n`]]);
  await page.getByRole("button", { name: "Open them together" }).click();
  await page.getByRole("heading", { level: 1, name: "Data" }).waitFor();
  await page.getByRole("radio", { name: form, exact: true }).check();
  await page.getByRole("button", { name: /^(Confirm the roles|Apply)/ }).click();
  await confirmed(page);
  for (const column of ["age", "sex"]) await page.getByLabel(`Role of ${column}`).selectOption("quasi-identifying");
  await page.getByRole("button", { name: /^(Confirm the roles|Apply)/ }).click();
  await page.getByLabel("Role of age").locator("xpath=..").getByText("confirmed").waitFor();
}

/** What attackers who know columns and events find, before and after: a row for each number of known columns, from none. */
async function knownTogether(page, what, columns) {
  for (const when of ["before", "after"]) {
    const rows = page.getByRole("region", { name: `Columns and ${what} known together, ${when}` }).locator("tbody tr");
    await rows.nth(columns).waitFor();
    assert.equal(await rows.count(), columns + 1);
  }
}

describe("columns and sets together", () => {
  let bench;
  before(async () => (bench = await Bench.open()));
  after(() => bench.close());

  it("a table with sets goes from the file to a release", async () => {
    const page = await bench.page();
    await chooseFiles(page, [["patients.csv", patients(240)]]);
    await page.getByRole("heading", { level: 1, name: "Data" }).waitFor();
    await page.getByText(/^240 people, 8 items.*Beside them 3 columns may identify together\.$/).waitFor();
    assert.ok(await page.getByRole("radio", { name: "A table with sets" }).isChecked());
    assert.equal(await page.getByLabel("Role of codes").inputValue(), "item");
    assert.deepEqual(await bench.violations(page), [], "columns");
    await page.getByRole("button", { name: "Confirm the roles" }).click();
    await confirmed(page);
    await part(page, "Histograms");
    await page.getByText("Most common items").first().waitFor();
    await step(page, "Meaning");
    await page.getByRole("link", { name: /^Hierarchy of age/ }).click();
    await page.getByRole("button", { name: "Make one from the data" }).click();
    await page.getByRole("tree").getByRole("treeitem").first().waitFor();
    await page.getByRole("link", { name: /^Query workload/ }).click();
    await page.getByLabel("Columns beside items, at most").fill("2");
    await page.getByRole("button", { name: "Make one from the data" }).click();
    await page.getByText("Query workload: made from the data.").waitFor();
    await choose(page, "rum-bound");
    await fill(page, "k", "4");
    await fill(page, "delta", "0.9");
    await field(page, "relational").locator("select").selectOption("mondrian");
    await field(page, "transaction").locator("select").selectOption("apriori");
    await field(page, "merge").locator("select").selectOption("t");
    await run(page);
    await page.getByRole("link", { name: "Look at the result" }).click();
    await page.getByRole("heading", { name: "The promise holds" }).waitFor();
    await page.getByRole("heading", { name: "Frequencies before and after" }).waitFor();
    await page.getByText("Relative error of original").first().waitFor();
    await knownTogether(page, "items", 3);
    // The workload has queries of one or two columns and one or two items: each kind has a number of its own.
    for (const parts of ["1 column and 1 item", "1 column and 2 items", "2 columns and 1 item", "2 columns and 2 items"]) await page.getByRole("row", { name: new RegExp(`^Average relative error of queries of ${parts} .*\\d%$`) }).waitFor();
    assert.deepEqual(await bench.violations(page), [], "result");
    await publish(page);
    await page.context().close();
  });

  it("a file of baskets and a table of their people are one dataset", async () => {
    const page = await bench.page();
    const rows = patients(120).trim().split("\n").slice(1).map((row) => row.split(","));
    const baskets = rows.flatMap(([id, , , , codes]) => codes.split(" ").filter(Boolean).map((code) => `${id},${code}`));
    // Some people bought nothing: they are in the table, and in no basket.
    assert.ok(rows.some(([, , , , codes]) => codes === ""));
    await openTogether(page, baskets, rows, "Sets");
    await step(page, "Risk today");
    await page.getByRole("region", { name: "Columns and items known together", exact: true }).getByRole("row", { name: /^2 / }).waitFor();
    await step(page, "Meaning");
    await page.getByRole("link", { name: /^Hierarchy of age/ }).click();
    await page.getByRole("button", { name: "Make one from the data" }).click();
    await page.getByRole("tree").getByRole("treeitem").first().waitFor();
    await choose(page, "tum-bound");
    await fill(page, "k", "3");
    await fill(page, "delta", "1");
    await run(page);
    await page.getByRole("link", { name: "Look at the result" }).click();
    await page.getByRole("heading", { name: "The promise holds" }).waitFor();
    await page.context().close();
  });

  it("trips and a table of their passengers go from two files to one release", async () => {
    const page = await bench.page();
    const rows = patients(160).trim().split("\n").slice(1).map((row) => row.split(","));
    const trips = rows.flatMap(([id], i) => [0, 1, 2].map((stop) => `${id},s${(i * (stop + 1) + stop) % 5}`));
    await openTogether(page, trips, rows, "Events in order");
    await step(page, "Risk today");
    await page.getByRole("region", { name: "Columns and events known together", exact: true }).getByRole("row", { name: /^2 / }).waitFor();
    assert.deepEqual(await bench.violations(page), [], "risk");
    await choose(page, "rum-bound");
    await fill(page, "k", "4");
    await fill(page, "delta", "0.9");
    await field(page, "relational").locator("select").selectOption("mondrian");
    await field(page, "sequential").locator("select").selectOption("suppress");
    await run(page);
    await page.getByRole("link", { name: "Look at the result" }).click();
    await page.getByRole("heading", { name: "The promise holds" }).waitFor();
    await knownTogether(page, "events", 2);
    assert.deepEqual(await bench.violations(page), [], "result");
    await publish(page);
    await page.locator(`a[href*="/files/records.csv"]`).first().waitFor({ state: "attached" });
    await page.context().close();
  });

  it("three pairs are compared, named, and run again", async () => {
    const page = await bench.page();
    await page.getByRole("link", { name: "patients" }).first().click();
    await step(page, "Compare");
    await page.locator('input[value="rum-bound"]').check();
    const own = (at) => page.locator("details.own").nth(at);
    const pairs = [["cluster", "apriori"], ["mondrian", "lra"], ["top-down", "vpa"]];
    for (const [at, [relational, transaction]] of pairs.entries()) {
      await own(at).locator("summary").click();
      if (at > 0) await field(own(at), "relational").locator("select").waitFor();
      await field(own(at), "relational").locator("select").selectOption(relational);
      await field(own(at), "transaction").locator("select").selectOption(transaction);
      if (at < 2) await own(at).getByRole("button", { name: /^Add another rum-bound/ }).click();
    }
    await page.getByLabel("Vary").selectOption("delta");
    await page.getByLabel("from", { exact: true }).fill("0.8");
    await page.getByLabel("to", { exact: true }).fill("1");
    await page.getByLabel("in steps of").fill("0.1");
    await page.getByText("3 configurations × delta = 0.8, 0.9, 1: 9 runs.").waitFor();
    await page.getByLabel("Call it").fill("Three pairs");
    assert.deepEqual(await bench.violations(page), [], "setup");
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await page.getByRole("button", { name: "All numbers as CSV" }).waitFor();
    const runs = page.getByRole("region", { name: "Every run of the comparison" }).locator("tbody tr");
    assert.equal(await runs.count(), 9);
    assert.equal(await runs.filter({ hasText: "rum-bound relational=mondrian transaction=lra" }).count(), 3);
    await page.getByRole("button", { name: "Run it again as it is" }).click();
    const made = page.getByRole("combobox", { name: /^Comparison/ }).locator("option");
    await made.nth(1).waitFor({ state: "attached" });
    assert.match(await made.first().textContent(), /^Three pairs/);
    await page.context().close();
  });

  it("the pages logged no error", () => assert.deepEqual(bench.complaints, []));
});
