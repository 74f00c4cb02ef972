// From a sample to a published directory; then the same checks on every screen.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { Bench, fill, run, sample, step, tick, tooWide } from "./bench.mjs";

const SCREENS = ["Data", "Meaning", "Risk today", "Promise and method", "Run", "Result", "Compare", "Publish"];

describe("from a sample world to a published release", () => {
  let bench;
  let page;
  before(async () => {
    bench = await Bench.open();
    page = await bench.page();
  });
  after(() => bench.close());

  it("the first page weighs less than 250 kB as it is sent", async () => {
    const other = await bench.page();
    const wire = await other.context().newCDPSession(other);
    await wire.send("Network.enable");
    await wire.send("Network.setCacheDisabled", { cacheDisabled: true });
    let weight = 0;
    wire.on("Network.loadingFinished", ({ encodedDataLength }) => (weight += encodedDataLength));
    await other.reload({ waitUntil: "networkidle" });
    assert.ok(weight > 80_000 && weight < 250_000, `${weight} bytes`);
    await other.context().close();
  });

  it("a sample opens with confirmed roles and says what it holds", async () => {
    assert.deepEqual(await bench.violations(page), []);
    await sample(page, "City", 500);
    await page.getByText("500 people").first().waitFor();
    assert.equal(await page.getByText("confirmed", { exact: true }).count(), 2);
  });

  it("the taxonomy opens as a tree with the arrow keys", async () => {
    await step(page, "Meaning");
    const root = page.getByRole("treeitem").first();
    await root.waitFor();
    await root.focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-expanded") === "true");
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-level") === "3");
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-level") === "2");
  });

  it("a group is added, named and filled with the keyboard", async () => {
    await page.keyboard.press("Home");
    await page.keyboard.press("Insert");
    await page.getByLabel("New name").waitFor();
    await page.keyboard.type("harbour");
    await page.keyboard.press("Enter");
    await page.getByRole("treeitem", { name: "harbour" }).waitFor();
    const quarter = page.getByRole("treeitem", { name: /^south-east 25 items/ });
    await quarter.focus();
    await quarter.click();
    await page.keyboard.press("Control+x");
    await page.keyboard.press("h");
    await page.keyboard.press("Control+v");
    await page.getByRole("treeitem", { name: /harbour 25 items/ }).waitFor();
  });

  it("a group is dragged onto another", async () => {
    await page.getByRole("treeitem", { name: /^south-west 25 items/ }).dragTo(page.getByRole("treeitem", { name: /^north-west 25 items/ }));
    await page.getByRole("treeitem", { name: /^north-west 50 items/ }).waitFor();
    assert.equal(await page.getByRole("treeitem", { name: /^south-west/, }).and(page.locator("[aria-level='2']")).count(), 0);
  });

  it("playing the attacker, the crowd shrinks with every known event", async () => {
    await step(page, "Risk today");
    await page.getByRole("img", { name: /share of people by known events/ }).waitFor();
    const crowd = async () => Number((await page.locator(".answer .big").innerText()).replaceAll(",", ""));
    const know = async (item) => {
      const field = page.getByRole("combobox", { name: "I know that this happened" });
      await field.fill(item);
      await page.getByRole("option", { name: new RegExp(`^${item}\\b`) }).first().waitFor();
      await field.press("Enter");
    };
    await page.getByLabel("I know the order too").uncheck();
    await know("D4");
    await page.locator(".answer").waitFor();
    const one = await crowd();
    await know("G7");
    await page.getByText("2 known events").waitFor();
    await page.waitForFunction((was) => Number(document.querySelector(".answer .big")?.textContent?.replaceAll(",", "")) < was, one);
    assert.ok((await crowd()) < one);
  });

  it("a wrong number is refused where it is typed, and a method that cannot run says why", async () => {
    await step(page, "Promise and method");
    await page.getByText("Not possible: needs").first().waitFor();
    await page.locator("details", { hasText: "All promises" }).first().locator("input[value=seqanon]").check();
    await fill(page, "m", "11");
    await page.getByText("It must be 1 to 10.").waitFor();
    assert.ok(await page.getByRole("button", { name: "Run", exact: true }).isDisabled());
    await fill(page, "m", "2");
    await fill(page, "k", "3");
  });

  it("the run ends with a promise that holds", async () => {
    await run(page);
    await page.getByRole("link", { name: "Look at the result" }).click();
    await page.getByRole("heading", { name: "The promise holds" }).waitFor();
    await page.getByText("at least 3 people").first().waitFor();
    await page.getByText(/^Only \d+ (person|people) ha(s|ve) .*; 3 are needed\. So .* became one\.$/).first().waitFor();
    await page.getByLabel("Note").fill("for the board");
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: "Pin" }).click();
    await page.getByRole("button", { name: "Pinned" }).waitFor();
  });

  it("asking why a group exists shows the steps that made it", async () => {
    await page.getByRole("button", { name: /^Why\? / }).first().click();
    await page.getByText(/^Only the steps that touched/).waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent?.startsWith("Why it happened"));
    await page.getByRole("button", { name: "Show all steps" }).click();
  });

  it("a place found on one map is told in words", async () => {
    const map = page.locator("figure", { hasText: "After" }).first();
    const find = map.getByLabel("Find");
    await find.selectOption({ index: 1 });
    await map.locator(".read strong").waitFor();
  });

  it("the note and the pin are still there after a reload", async () => {
    await page.reload();
    await page.getByRole("button", { name: "Pinned" }).waitFor();
    assert.equal(await page.getByLabel("Note").inputValue(), "for the board");
  });

  it("the download opens only when the whole checklist is ticked, and is a zip", async () => {
    await step(page, "Publish");
    const clear = page.getByRole("button", { name: "Clear it for publishing" });
    await page.getByLabel("The promise was verified").check();
    assert.ok(await clear.isDisabled());
    await tick(page);
    await clear.click();
    const link = page.getByRole("link", { name: "The release (.zip)" });
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    const zip = await readFile(await download.path());
    assert.equal(zip.subarray(0, 2).toString(), "PK");
    for (const name of ["release.csv", "manifest.json", "report.html"]) assert.ok(zip.includes(name), name);
    for (const name of ["linkage", "recipe"]) assert.ok(!zip.includes(name), name);
    const [recipe] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "The recipe (private)" }).click()]);
    assert.match(await readFile(await recipe.path(), "utf8"), /^# For you, not for publication/);
  });

  it("every screen can be copied as a recipe and as a command", async () => {
    for (const name of SCREENS) {
      await step(page, name);
      await page.getByRole("button", { name: "Copy as recipe or command" }).click();
      const dialog = page.getByRole("dialog");
      // The method's command comes from the server.
      await dialog.locator("pre", { hasText: /^throng / }).waitFor();
      await dialog.getByRole("button", { name: "Close" }).click();
    }
  });

  for (const [what, options] of [["light", {}], ["dark", { dark: true }], ["400 px wide", { width: 400 }]]) {
    it(`no screen has a serious accessibility violation or scrolls sideways: ${what}`, async () => {
      const address = page.url();
      const other = await bench.page(options);
      const project = /#\/p\/[^/]+/.exec(address)[0];
      for (const part of ["", "/data", "/data/rows", "/data/values", "/data/map", "/meaning", "/meaning/sensitive", "/risk", "/method", "/run", "/result", "/compare", "/publish"]) {
        await other.goto(`${bench.origin}/${part === "" ? "#/" : project + part}`);
        await other.getByRole("heading", { level: 1 }).waitFor();
        await other.waitForLoadState("networkidle");
        assert.deepEqual(await bench.violations(other), [], part);
        assert.equal(await tooWide(other), false, `${part} is wider than the window`);
      }
      if (options.dark) {
        const paper = await other.evaluate(() => getComputedStyle(document.body).backgroundColor);
        assert.match(paper, /rgb\(1\d, 2\d, 2\d\)/);
      }
      await other.context().close();
    });
  }

  it("the chosen light or dark is kept over a reload", async () => {
    await step(page, "Data");
    await page.getByRole("button", { name: "Dark" }).click();
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Data" }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    await page.getByRole("button", { name: "As the system" }).click();
  });

  it("the pages logged no error and asked no other host", () => assert.deepEqual(bench.complaints, []));
});
