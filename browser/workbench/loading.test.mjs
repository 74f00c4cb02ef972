// The files of a screen are fetched when it is first opened, and may fail to come.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Bench, projectOf, sample, step } from "./bench.mjs";
import { SCREENS } from "./screens.mjs";

const fileOf = (screen) => new RegExp(`/assets/screen-${screen}-[^/]+\\.js$`);

describe("screens that are loaded when they are opened", () => {
  let bench;
  let page;
  const fetched = [];
  before(async () => {
    bench = await Bench.open();
    page = await bench.page();
    page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
  });
  after(() => bench.close());

  it("the first page brings no other screen, nor plots and maps", async () => {
    fetched.length = 0;
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Start" }).waitFor();
    const scripts = fetched.filter((path) => /^\/assets\/.*\.js$/.test(path)).map((path) => path.replace(/-[\w-]{8}\.js$/, "")).sort();
    assert.deepEqual(scripts, ["/assets/index", "/assets/screen-start", "/assets/workbench"]);
  });

  it("every screen opens from its address, with its own file", async () => {
    await sample(page, "City", 200);
    const project = projectOf(page);
    for (const screen of SCREENS.filter((name) => name !== "start")) {
      const tab = await bench.page();
      const files = [];
      tab.on("request", (request) => files.push(new URL(request.url()).pathname));
      await tab.goto(`${bench.origin}/#/p/${project}/${screen}`);
      await tab.locator(`nav a[aria-current="step"][href$="/${screen}"]`).waitFor();
      await tab.getByRole("heading", { level: 1 }).waitFor();
      await tab.waitForFunction((title) => document.querySelector("h1")?.textContent === title, await tab.title().then((title) => title.split(" · ")[0]));
      assert.ok(files.some((path) => fileOf(screen).test(path)), `${screen} has a file of its own`);
      await tab.context().close();
    }
  });

  it("a screen that was open before is not fetched again", async () => {
    await step(page, "Meaning");
    await step(page, "Data");
    fetched.length = 0;
    await step(page, "Meaning");
    assert.deepEqual(fetched.filter((path) => path.startsWith("/assets/")), []);
  });

  it("a screen whose files do not come says so, and comes when it is asked for again", async () => {
    let away = true;
    await page.route(fileOf("risk"), (route) => (away ? route.abort() : route.continue()));
    const known = bench.complaints.length;
    await page.getByRole("navigation", { name: "Steps" }).getByRole("link", { name: "Risk today" }).click();
    await page.getByText("This screen cannot be shown").waitFor();
    assert.deepEqual(await bench.violations(page), []);
    // The browser itself complains about the file.
    assert.ok(bench.complaints.splice(known).every((line) => line.includes("/assets/screen-risk-")));
    away = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { level: 1, name: "Risk today" }).waitFor();
    await page.getByText("This screen cannot be shown").waitFor({ state: "detached" });
  });

  it("a screen that was asked for while the workbench was away opens by itself when it is back", async () => {
    await bench.halt();
    await page.getByRole("navigation", { name: "Steps" }).getByRole("link", { name: "Patterns" }).click();
    await page.getByText("This screen cannot be shown").waitFor();
    await page.getByText("The workbench does not answer").waitFor();
    await bench.resume();
    await page.getByText("The workbench was started again").waitFor();
    const other = await page.context().newPage();
    await other.goto(bench.address);
    await other.close();
    await page.bringToFront();
    await page.getByRole("heading", { level: 1, name: "Patterns" }).waitFor();
    bench.complaints = bench.complaints.filter((line) => !/Failed to load resource|dynamically imported module/.test(line));
  });

  it("the pages logged no other error and asked no other host", () => assert.deepEqual(bench.complaints, []));
});
