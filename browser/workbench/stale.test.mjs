// What the page sends to the server, and a release whose data were changed afterwards.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Bench, choose, fill, part, run, sample, step, tick } from "./bench.mjs";

const TRIPS = ["subject,item", ...["ann", "bob", "cid", "dan"].flatMap((name) => [`${name},zoo`, `${name},pub`])];

describe("a release and the data it was made from", () => {
  let bench;
  let page;
  const sent = [];
  before(async () => {
    bench = await Bench.open();
    page = await bench.page();
    page.on("request", (request) => request.method() === "POST" && sent.push([new URL(request.url()).pathname, request.postDataJSON()]));
  });
  after(() => bench.close());

  it("no seed is sent until one is chosen, and one that could be guessed is refused at its field", async () => {
    await sample(page, "Clicks", 600);
    await choose(page, "ngrams");
    await fill(page, "epsilon", "1");
    await page.locator("aside button.primary:enabled").waitFor();
    await page.locator("details", { has: page.getByText("Fine-tuning") }).last().evaluate((details) => (details.open = true));
    await page.getByText("Leave it empty").waitFor();
    await page.getByLabel("Seed of random choices").fill("7");
    await page.keyboard.press("Tab");
    await page.getByText("seed 7 could be guessed").waitFor();
    assert.ok(await page.getByRole("button", { name: "Run", exact: true }).isDisabled());
    await page.getByLabel("Seed of random choices").fill("");
    await page.keyboard.press("Tab");
    await page.locator("aside button.primary:enabled").waitFor();
    await run(page);
    await page.getByRole("link", { name: "Look at the result" }).waitFor();
    const [, spec] = sent.findLast(([path]) => path.endsWith("/jobs"));
    assert.ok(!("seed" in spec), JSON.stringify(spec));
    assert.equal(spec.method, "ngrams");
  });

  it("two verdicts stand side by side", async () => {
    await page.getByRole("link", { name: "Look at the result" }).click();
    await page.getByRole("region", { name: "The promise" }).waitFor();
    await page.getByRole("region", { name: "Usefulness" }).waitFor();
  });

  it("after a person was deleted, result and publish say so, and nothing is published", async () => {
    await page.goto(`${bench.origin}/#/`);
    await page.setInputFiles("input[type=file]", { name: "trips.csv", mimeType: "text/csv", buffer: Buffer.from(`${TRIPS.join("\n")}\n`) });
    await page.getByRole("button", { name: "Confirm the roles" }).click();
    await page.getByText("4 people").first().waitFor();
    await choose(page, "bf-p2ka");
    await fill(page, "k", "2");
    await run(page);
    await page.getByRole("link", { name: "Look at the result" }).click();
    await page.getByRole("region", { name: "The promise" }).waitFor();
    assert.equal(await page.getByText("made from an earlier state").count(), 0);
    await step(page, "Data");
    await part(page, "Rows");
    for (const box of (await page.getByRole("checkbox", { name: /^Choose row/ }).all()).slice(0, 2)) await box.check();
    await page.getByRole("button", { name: "Delete 2 rows" }).click();
    await page.getByText("of 6").waitFor();
    for (const name of ["Result", "Publish"]) {
      await step(page, name);
      await page.getByText("This release was made from an earlier state of the data").waitFor();
      await page.getByText("1 person was removed from the data since").waitFor();
      assert.deepEqual(await bench.violations(page), [], name);
    }
    await tick(page);
    assert.ok(await page.getByRole("button", { name: "Clear it for publishing" }).isDisabled());
  });

  it("run again, it is published", async () => {
    await page.getByRole("button", { name: "Run it again with the data as they are now" }).click();
    await page.getByRole("link", { name: "Look at the result" }).waitFor();
    await page.goto(page.url().replace("/run/", "/publish/"));
    await tick(page);
    assert.equal(await page.getByText("made from an earlier state").count(), 0);
    await page.getByRole("button", { name: "Clear it for publishing" }).click();
    await page.getByRole("link", { name: "The release (.zip)" }).waitFor();
    const [, wish] = sent.findLast(([path]) => path.endsWith("/publish"));
    assert.equal(wish.earlier_state, false);
    assert.ok(Object.values(wish.checklist).every(Boolean));
  });

  it("the pages logged no error", () => assert.deepEqual(bench.complaints, []));
});
