// Every sample world, through a method that suits it: timed visits, sets, synthetic records and tables all have a result that reads.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Bench, choose, fill, part, publish, run, sample, step } from "./bench.mjs";

const WORLDS = [
  { title: "City", people: 400, method: "seqanon", settings: { k: "3", m: "2" }, says: "became one" },
  { title: "Checkins", people: 400, method: "seqanon", settings: { k: "3", m: "1" }, says: "became one" },
  { title: "Metro", people: 600, method: "lkc", settings: { L: "2", K: "5", C: "100%" }, says: "taken away" },
  { title: "Clicks", people: 600, method: "ngrams", settings: { epsilon: "1" }, says: "synthetic" },
  { title: "Patients", people: 400, method: "lkc", settings: { L: "1", K: "2", C: "100%" }, says: "taken away" },
];

describe("every sample world", () => {
  let bench;
  before(async () => (bench = await Bench.open()));
  after(() => bench.close());

  for (const { title, people, method, settings, says } of WORLDS) {
    it(`${title}: from the sample to a result that reads`, async () => {
      const page = await bench.page();
      await sample(page, title, people);
      await part(page, "Histograms");
      await page.getByRole("heading", { name: "How long the records are" }).waitFor();
      assert.deepEqual(await bench.violations(page), [], "histograms");
      await step(page, "Risk today");
      await page.getByText(/^An attacker who knows/).waitFor();
      await choose(page, method);
      for (const [name, value] of Object.entries(settings)) await fill(page, name, value);
      await run(page);
      await page.getByRole("link", { name: "Look at the result" }).click();
      await page.getByRole("heading", { name: "The promise holds" }).waitFor();
      // The list of measures to add has these words too, and is folded.
      await page.getByText(says).filter({ visible: true }).first().waitFor();
      await page.getByRole("heading", { name: /^Why it happened/ }).waitFor();
      assert.deepEqual(await bench.violations(page), [], "result");
      await step(page, "Publish");
      await page.getByLabel("I know what is not promised").waitFor();
      await page.context().close();
    });
  }

  it("pinned releases stand side by side", async () => {
    const page = await bench.page();
    await sample(page, "City", 400);
    for (const k of ["2", "4"]) {
      await choose(page, "seqanon");
      await fill(page, "k", k);
      await run(page);
      await page.getByRole("link", { name: "Look at the result" }).click();
      await page.getByRole("button", { name: "Pin", exact: true }).click();
      await page.getByRole("button", { name: "Pinned" }).waitFor();
    }
    const table = page.getByRole("region", { name: "Pinned releases side by side" });
    await table.getByRole("columnheader", { name: /seqanon k=2/ }).waitFor();
    await table.getByRole("columnheader", { name: /this one.*seqanon k=4/ }).waitFor();
    await table.getByRole("rowheader", { name: /Items a released event may stand for/ }).waitFor();
    assert.deepEqual(await bench.violations(page), []);
    await page.context().close();
  });

  it("people who were released before are told of before they are released again", async () => {
    const page = await bench.page();
    await sample(page, "City", 300);
    await choose(page, "seqanon");
    await fill(page, "k", "2");
    await run(page);
    await page.getByRole("link", { name: "Look at the result" }).waitFor();
    await step(page, "Publish");
    const ledger = page.getByRole("region", { name: "Earlier releases" }).first();
    await ledger.getByText("No earlier release of these people is known.").waitFor();
    await publish(page);
    await ledger.getByText(/^Recorded as number/).waitFor();
    await choose(page, "sd-seqanon");
    await fill(page, "k", "3");
    await run(page);
    await page.getByRole("link", { name: "Look at the result" }).waitFor();
    await page.goto(page.url().replace("/run/", "/publish/"));
    await ledger.getByRole("cell", { name: /known event/ }).first().waitFor();
    await ledger.getByRole("status").waitFor();
    assert.deepEqual(await bench.violations(page), []);
    await page.context().close();
  });

  it("the pages logged no error and asked no other host", () => assert.deepEqual(bench.complaints, []));
});
