// A release looked at closely: its rows, all members of an item, the files of its run, and its name in the ledger.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { Bench, choose, fill, part, run, sample, step, tick } from "./bench.mjs";

const execute = promisify(execFile);

describe("a release looked at closely", () => {
  let bench;
  let page;
  before(async () => {
    bench = await Bench.open();
    page = await bench.page();
    await sample(page, "City", 400);
    await choose(page, "seqanon");
    await fill(page, "k", "5");
    await run(page);
    await page.getByRole("link", { name: "Look at the result" }).click();
    await page.getByRole("heading", { name: "The promise holds" }).waitFor();
  });
  after(() => bench.close());

  it("every member of an item can be seen, and found by name", async () => {
    const button = page.getByRole("button", { name: /^All \d+ members/ }).first();
    const total = Number(/\d+/.exec(await button.innerText())[0]);
    await button.click();
    const members = page.getByRole("group", { name: /^Members of/ });
    await members.getByText(`1–${Math.min(50, total)} of ${total}`).waitFor();
    const name = (await members.getByRole("listitem").first().textContent()).trim();
    await members.getByLabel("Find").fill(name);
    await members.getByRole("navigation", { name: "Pages of members" }).getByText(/^1–\d+ of \d+$/).waitFor();
    assert.deepEqual(await bench.violations(page), []);
  });

  it("the release is shown row by row, as it is published", async () => {
    await page.getByText("The release itself, row by row").click();
    const rows = page.getByRole("region", { name: "Rows of release.csv" });
    await rows.getByRole("columnheader").first().waitFor();
    assert.equal((await rows.getByRole("row").count()) > 10, true);
    await page.getByRole("navigation", { name: "Pages of the release" }).getByRole("button", { name: "Next" }).click();
    await page.getByText(/^51–100 of /).waitFor();
  });

  it("the files of a run are those it had, whatever was edited since", async () => {
    const result = page.url();
    await step(page, "Data");
    await part(page, "Rows");
    await page.getByText("Change many rows, add rows and columns").click();
    await page.getByLabel("Show rows with").fill("p000001");
    await page.getByRole("button", { name: /^Delete the/ }).click();
    await page.getByText("No rows fit.").waitFor();
    await page.goto(result);
    await page.getByText("This release was made from an earlier state of the data").waitFor();
    await page.getByRole("button", { name: "Copy as recipe or command" }).click();
    const link = page.getByRole("link", { name: /^Save the files that they name/ });
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    const folder = await mkdtemp(join(tmpdir(), "throng-run-"));
    try {
      await execute("python3", ["-m", "zipfile", "-e", await download.path(), folder]);
      const command = await page.getByLabel("Command", { exact: true }).textContent();
      const file = /throng anonymize (\S+)/.exec(command)[1];
      assert.match(await readFile(join(folder, file), "utf8"), /p000001/);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    await page.keyboard.press("Escape");
    await step(page, "Data");
    await page.getByRole("button", { name: /^Undo/ }).click();
    await page.getByRole("button", { name: /^Redo/ }).waitFor();
  });

  it("the ledger calls the data as the publisher does", async () => {
    await step(page, "Publish");
    await tick(page);
    await page.getByLabel("The ledger calls these data").fill("commuters 2024");
    await page.getByRole("button", { name: "Clear it for publishing" }).click();
    await page.getByText(/^Recorded as number 1, data “commuters 2024”/).waitFor();
    assert.deepEqual(await bench.violations(page), []);
  });

  it("the pages logged no error", () => assert.deepEqual(bench.complaints, []));
});
