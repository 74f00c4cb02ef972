// Long work: stopped in the middle, found again after a reload, compared side by side.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { Bench, choose, fill, projectOf, run, runLong, sample, step } from "./bench.mjs";

describe("long work", () => {
  let bench;
  let page;
  before(async () => {
    bench = await Bench.open();
    page = await bench.page();
  });
  after(() => bench.close());

  it("a run survives a reload and is cancelled", async () => {
    await runLong(page);
    const cancel = page.getByRole("button", { name: "Cancel", exact: true });
    await cancel.waitFor();
    await page.reload();
    await cancel.waitFor();
    assert.deepEqual(await bench.violations(page), []);
    await cancel.click();
    await page.getByText("You stopped it.").waitFor();
  });

  it("a closed tab does not stop the work, and another tab finds it", async () => {
    const other = await bench.page();
    await sample(other, "City", 800);
    await choose(other, "seqanon");
    await run(other);
    const address = other.url();
    await other.context().close();
    const third = await bench.page();
    await third.goto(address);
    await third.getByRole("link", { name: "Look at the result" }).waitFor();
    await third.context().close();
  });

  it("three methods are compared over k, with linked plots and a table of every run", async () => {
    const tab = await bench.page();
    await sample(tab, "City", 2500);
    await step(tab, "Compare");
    for (const method of ["seqanon", "sd-seqanon", "u-seqanon"]) await tab.locator(`input[value="${method}"]`).check();
    await tab.getByLabel("from", { exact: true }).fill("2");
    await tab.getByLabel("to", { exact: true }).fill("6");
    await tab.getByLabel("in steps of").fill("2");
    await tab.getByText("9 runs").waitFor();
    await tab.getByRole("button", { name: "Compare", exact: true }).click();
    await tab.getByRole("button", { name: "All numbers as CSV" }).waitFor();
    const plots = tab.locator("svg.plot");
    assert.ok((await plots.count()) >= 3);
    assert.equal(await tab.getByRole("region", { name: "Every run of the comparison" }).locator("tbody tr").count(), 9);

    await tab.getByText("u-seqanon gave no result with k = ").waitFor();
    await tab.getByRole("status").filter({ hasText: "The utility constraints cannot be met" }).waitFor();
    await tab.getByRole("cell", { name: /no result.*the utility constraints/ }).first().waitFor();

    await tab.getByRole("group", { name: /Left and right read the values/ }).first().focus();
    await tab.keyboard.press("ArrowRight");
    assert.ok((await tab.locator("svg.plot .rule").count()) >= 2, "the other plots do not follow");
    assert.ok((await tab.locator("svg.plot .dim").count()) >= 2, "the dots do not follow");
    assert.equal(await tab.locator("tr.lit").count(), 3, "the table does not follow");
    assert.equal(await tab.getByText(/[a-z]_[a-z]/).count(), 0, "a machine's name is left");
    assert.deepEqual(await bench.violations(tab), []);

    const kinds = { SVG: /^<\?xml/, PNG: /^.PNG/, PDF: /^%PDF-1\.4/, CSV: /^method,setting,/ };
    for (const [format, start] of Object.entries(kinds)) {
      const button = tab.getByRole("button", { name: new RegExp(`^Save .* as ${format}$`) }).first();
      const [download] = await Promise.all([tab.waitForEvent("download"), button.click()]);
      assert.match((await readFile(await download.path())).toString("latin1"), start, format);
    }
    await tab.reload();
    await tab.getByRole("button", { name: "All numbers as CSV" }).waitFor();
    await tab.context().close();
  });

  it("a job that another program posted, with numbers as values and nothing that varies, is shown as any other", async () => {
    const tab = await bench.page();
    await sample(tab, "City", 300);
    const project = projectOf(tab);
    const post = (body) => tab.evaluate(
      ([address, text]) => fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body: text }).then((answer) => answer.json()),
      [`/api/projects/${project}/jobs`, JSON.stringify(body)],
    );
    const job = await post({ kind: "anonymize", method: "seqanon", settings: { k: 3, m: 2 } });
    await post({ kind: "compare", methods: [{ name: "seqanon", settings: { m: 1 } }] });
    await tab.goto(`${bench.origin}/#/p/${project}/run/${job.id}`);
    await tab.reload();
    await tab.getByRole("heading", { level: 1, name: "Run" }).waitFor();
    await tab.getByRole("heading", { level: 2, name: "seqanon k=3 m=2" }).waitFor();
    await tab.getByRole("link", { name: "Look at the result" }).click();
    await tab.getByRole("heading", { name: "The promise holds" }).waitFor();
    await step(tab, "Publish");
    await tab.getByRole("form", { name: "Checklist" }).waitFor();
    await step(tab, "Compare");
    await tab.getByText("compare seqanon").first().waitFor({ state: "attached" });
    await tab.context().close();
  });

  it("a comparison is drawn while it runs; cancelled, it keeps the runs that were made and stays on the screen", async () => {
    const tab = await bench.page();
    await sample(tab, "City", 300);
    const project = projectOf(tab);
    const compare = (methods) => tab.evaluate(
      ([address, body]) => fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body }).then((answer) => answer.json()),
      [`/api/projects/${project}/jobs`, JSON.stringify({ kind: "compare", methods, vary: { param: "k", values: [2, 3] } })],
    );
    // Its last runs wait until they are stopped: the first two are over while the comparison goes on.
    const long = await compare([{ name: "seqanon", settings: { m: 1 } }, { name: "wait-for-cancel", settings: {} }]);
    const next = await compare([{ name: "seqanon", settings: { m: 1 } }]);
    await tab.goto(`${bench.origin}/#/p/${project}/compare/${long.id}`);
    await tab.reload();
    await tab.getByText("Run 2 of 4: the plots grow as runs end.").waitFor();
    assert.ok((await tab.locator("svg.plot").count()) >= 3);
    const rows = tab.getByRole("region", { name: "Every run of the comparison" }).locator("tbody tr");
    assert.equal(await rows.filter({ hasText: "to come" }).count(), 2);
    const numbers = await rows.nth(0).innerText();
    assert.deepEqual(await bench.violations(tab), []);
    await tab.getByRole("button", { name: "Cancel", exact: true }).click();
    await tab.getByText("The comparison was cancelled.").waitFor();
    await tab.getByText("2 of 4 runs were made.").waitFor();
    assert.equal(await rows.filter({ hasText: "not run" }).count(), 2);
    assert.equal(await rows.nth(0).innerText(), numbers);
    // The next one in the queue begins and ends; what is looked at stays.
    const done = tab.locator(`option[value="${next.id}"]`, { hasText: "done" });
    await done.waitFor({ state: "attached" });
    assert.match(tab.url(), new RegExp(long.id));
    await tab.getByText("2 of 4 runs were made.").waitFor();
    await tab.context().close();
  });

  it("values can be listed, and a method can have settings of its own", async () => {
    const tab = await bench.page();
    await sample(tab, "City", 500);
    await step(tab, "Compare");
    for (const method of ["seqanon", "sd-seqanon"]) await tab.locator(`input[value="${method}"]`).check();
    await tab.getByLabel("these values").check();
    await tab.getByLabel("values", { exact: true }).fill("2, nine");
    await tab.getByText("k = nine: A whole number, please.").waitFor();
    await tab.getByLabel("values", { exact: true }).fill("2, 3");
    await tab.getByText("Only for sd-seqanon").click();
    await fill(tab.locator("details details", { hasText: "Only for sd-seqanon" }), "m", "1");
    await tab.getByText("4 runs").waitFor();
    await tab.getByRole("button", { name: "Copy as recipe or command" }).click();
    await tab.getByLabel("Recipe (TOML)").filter({ hasText: "k = [2, 3]" }).waitFor();
    const recipe = await tab.getByLabel("Recipe (TOML)").innerText();
    assert.match(recipe, /name = "seqanon"\n\n/);
    assert.match(recipe, /name = "sd-seqanon"\nm = 1/);
    await tab.getByRole("button", { name: "Close" }).click();
    await tab.getByRole("button", { name: "Compare", exact: true }).click();
    await tab.getByRole("button", { name: "All numbers as CSV" }).waitFor();
    assert.equal(await tab.getByRole("region", { name: "Every run of the comparison" }).locator("tbody tr").count(), 4);
    await tab.context().close();
  });

  it("trying the methods on a sample ends with a choice that says why and can be used", async () => {
    const tab = await bench.page();
    await sample(tab, "City", 2000);
    await choose(tab, "u-seqanon");
    await tab.getByText("Not sure which method?").click();
    await tab.getByRole("button", { name: "Try them" }).click();
    await tab.getByText("chosen", { exact: true }).waitFor();
    assert.deepEqual(await bench.violations(tab), []);
    await tab.getByRole("button", { name: /^Use / }).first().click();
    await tab.getByText("All promises and methods").waitFor();
    await tab.context().close();
  });

  it("the pages logged no error and asked no other host", () => assert.deepEqual(bench.complaints, []));
});
