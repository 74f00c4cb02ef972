// The map of the data, and the page for a browser that is not signed in.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Bench, part, sample } from "./bench.mjs";

describe("maps, and signing in", () => {
  let bench;
  let page;
  before(async () => {
    bench = await Bench.open();
    page = await bench.page();
    await sample(page, "City", 200);
    await part(page, "Map");
    await page.locator("[data-drawn]").waitFor();
  });
  after(() => bench.close());

  it("a map has a scale, sizes, and a name and number under the pointer; the wheel zooms", async () => {
    const scale = page.locator(".frame .over text").first();
    await scale.waitFor();
    const far = await scale.textContent();
    assert.match(far, /\d (m|km|units)$/);
    await page.getByLabel("What the sizes say").getByText(/people$/).first().waitFor();
    const canvas = page.locator(".frame canvas");
    await canvas.scrollIntoViewIfNeeded();
    const box = await canvas.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.wheel(0, -1200);
    await page.waitForFunction(([one, before]) => document.querySelector(one)?.textContent !== before, [".frame .over text", far]);
    // The pointer is moved over the map until it meets a place.
    const tip = page.locator(".frame .over rect.tip");
    for (let i = 0; i < 400 && (await tip.count()) === 0; i++) await page.mouse.move(box.x + 20 + ((i * 37) % (box.width - 40)), box.y + 20 + ((i * 23) % (box.height - 40)));
    assert.equal(await tip.count(), 1);
  });

  it("time plays and is paused, and shows who goes where", async () => {
    const text = ["user_id,venue,lat,lon,ts", ...Array.from({ length: 60 }, (_, i) => `u${i % 8},v${i % 3},${52.5 + (i % 3) / 10},${13.4 + (i % 3) / 10},${1700000000 + 3600 * i}`)].join("\n");
    await page.goto(`${bench.origin}/#/`);
    await page.getByLabel("Choose a file").setInputFiles({ name: "visits.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
    await page.getByRole("button", { name: "Take them as places" }).click();
    await page.getByRole("group", { name: "Columns that say where" }).waitFor({ state: "detached" });
    await part(page, "Map");
    await page.locator("[data-drawn]").waitFor();
    await page.getByRole("button", { name: "Play" }).click();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByLabel("Time", { exact: true }).fill("2");
    await page.getByLabel("who goes on to where").check();
    await page.getByText("A line bends to the right of the way that people go.").waitFor();
    assert.deepEqual(await bench.violations(page), []);
  });

  it("a browser that is not signed in gets a page in the same look, with the way in", async () => {
    const context = await bench.browser.newContext();
    const stranger = await context.newPage();
    await stranger.goto(bench.origin);
    await stranger.getByRole("heading", { name: "Not signed in" }).waitFor();
    const border = await stranger.locator("main").evaluate((main) => getComputedStyle(main).borderTopWidth);
    assert.equal(border, "4px");
    await context.close();
  });

  it("the pages logged no error", () => assert.deepEqual(bench.complaints, []));
});
