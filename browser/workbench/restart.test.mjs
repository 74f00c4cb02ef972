// The workbench is stopped and started again while a tab is open.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Bench, run, runLong, step } from "./bench.mjs";

describe("a tab that outlives the server", () => {
  let bench;
  let page;
  before(async () => {
    bench = await Bench.open();
    page = await bench.page();
  });
  after(() => bench.close());

  it("says that the workbench does not answer, and keeps what is on the screen", async () => {
    await runLong(page);
    await page.getByRole("button", { name: "Cancel", exact: true }).waitFor();
    await bench.halt();
    await page.getByText("The workbench does not answer").waitFor();
    await page.getByRole("heading", { level: 1, name: "Run" }).waitFor();
    assert.deepEqual(await bench.violations(page), []);
  });

  it("says that it was started again, and goes on by itself once the new address was opened", async () => {
    await bench.resume();
    await page.getByText("The workbench was started again").waitFor();
    const other = await page.context().newPage();
    await other.goto(bench.address);
    await other.close();
    await page.bringToFront();
    await page.getByText("The workbench was started again").waitFor({ state: "detached" });
  });

  it("the run that was cut off says so, and can be started again", async () => {
    await page.getByText("The workbench was closed while it ran").waitFor();
    await page.getByRole("button", { name: "Run it again" }).click();
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByText("You stopped it.").waitFor();
    await step(page, "Data");
    await page.getByText("300 people").first().waitFor();
  });
});
