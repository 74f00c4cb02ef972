// Tables and sets go the same way as sequences: nine steps from the sample to a published release.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { Bench, choose, fill, part, projectOf, publish, run, sample, step, tooWide } from "./bench.mjs";

const SCREENS = ["", "/data", "/data/rows", "/data/values", "/meaning", "/risk", "/method", "/run", "/result", "/compare", "/publish"];

/** Every screen of a project without a serious violation and without scrolling sideways. */
async function everyScreen(bench, project, options) {
  const page = await bench.page(options);
  for (const screen of SCREENS) {
    await page.goto(`${bench.origin}/${screen === "" ? "#/" : `#/p/${project}${screen}`}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
    assert.deepEqual(await bench.violations(page), [], screen);
    assert.equal(await tooWide(page), false, `${screen} is wider than the window`);
  }
  await page.context().close();
}

/** The names in the zip of a release that was just cleared. */
async function zipped(page) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "The release (.zip)" }).click()]);
  return readFile(await download.path());
}

const LOOKS = [["light", {}], ["dark", { dark: true }], ["400 px wide", { width: 400 }]];

describe("a table of people", () => {
  let bench;
  let page;
  before(async () => {
    bench = await Bench.open();
    page = await bench.page();
  });
  after(() => bench.close());

  it("a sample opens as a table, with roles and types", async () => {
    await page.getByLabel("Number of people in a sample world").fill("600");
    await page.getByRole("button", { name: "as a table: Patients" }).click();
    await page.getByText(/^600 people, a row each; 4 columns may identify together, 1 column must not be inferred/).waitFor();
    assert.equal(await page.getByLabel("Role of age").inputValue(), "quasi-identifying");
    assert.equal(await page.getByLabel("Role of diagnosis").inputValue(), "sensitive");
    assert.equal(await page.getByLabel("Type of age").inputValue(), "number");
    assert.ok(await page.getByRole("radio", { name: "A table of people" }).isChecked());
  });

  it("a role is changed and takes effect", async () => {
    await page.getByLabel("Role of sex").selectOption("insensitive");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByText(/3 columns may identify together, 1 column must not be inferred, 1 column published as they are/).waitFor();
    await page.getByLabel("Role of sex").selectOption("quasi-identifying");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByText(/4 columns may identify together/).waitFor();
  });

  it("every column has its histogram", async () => {
    await part(page, "Histograms");
    await page.getByRole("heading", { name: "age" }).waitFor();
    await page.getByRole("heading", { name: "sex" }).waitFor();
  });

  it("a value is edited, and undone", async () => {
    await part(page, "Rows");
    const cell = page.getByRole("gridcell").nth(2);
    await cell.waitFor();
    const project = projectOf(page);
    await page.evaluate(
      (address) => fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ op: "set", row: 0, column: "age", value: "101" }) }),
      `/api/projects/${project}/edits`,
    );
    await page.reload();
    await page.getByRole("button", { name: "Undo (1)" }).click();
    await page.getByRole("button", { name: "Redo (1)" }).waitFor();
  });

  it("the hierarchy of a column opens as a tree, is edited, made anew, and brought back by undo", async () => {
    await step(page, "Meaning");
    await page.getByRole("link", { name: /^Hierarchy of sex/ }).click();
    const tree = page.getByRole("tree", { name: "hierarchy of sex" });
    await tree.getByRole("treeitem").first().waitFor();
    await tree.getByRole("treeitem").first().click();
    await page.getByRole("button", { name: /^Add a group/ }).click();
    await page.getByLabel("New name").fill("any sex");
    await page.keyboard.press("Enter");
    await tree.getByRole("treeitem", { name: /any sex/ }).waitFor();
    await page.getByRole("button", { name: /^Undo \(1\)/ }).click();
    await tree.getByRole("treeitem", { name: /any sex/ }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: /^Hierarchy of age/ }).click();
    await page.getByLabel("Put together by").selectOption("depth");
    await page.getByRole("button", { name: "Make one from the data" }).click();
    await page.getByText(/It was cut from the data/).waitFor();
    await page.getByRole("button", { name: /^Undo \(1\)/ }).click();
    await page.getByRole("button", { name: /^Redo \(1\)/ }).waitFor();
  });

  it("playing the attacker, the crowd shrinks with every known attribute", async () => {
    await step(page, "Risk today");
    const crowd = async () => Number((await page.locator(".answer .big").innerText()).replaceAll(",", ""));
    const know = async (column, value) => {
      await page.getByLabel("I know").selectOption(column);
      await page.getByLabel("is", { exact: true }).fill(value);
      await page.getByRole("button", { name: "Add", exact: true }).click();
    };
    await know("sex", "f");
    await page.getByText("1 known attribute").waitFor();
    const one = await crowd();
    assert.ok(one > 100 && one < 600, `${one}`);
    await know("age", "44");
    await page.getByText("2 known attributes").waitFor();
    await page.waitForFunction((was) => Number(document.querySelector(".answer .big")?.textContent?.replaceAll(",", "")) < was, one);
  });

  it("only methods for tables are offered, and one keeps its promise", async () => {
    await choose(page, "mondrian");
    assert.equal(await page.locator('input[value="seqanon"]').count(), 0);
    await fill(page, "k", "5");
    await run(page);
    await page.getByRole("link", { name: "Look at the result" }).click();
    await page.getByRole("heading", { name: "The promise holds" }).waitFor();
    await page.getByRole("heading", { name: "Frequencies before and after" }).waitFor();
    await page.getByRole("heading", { name: "Time by phase" }).waitFor();
    await page.getByLabel("Column", { exact: true }).selectOption("sex");
    await page.getByRole("heading", { name: "Released values of sex" }).waitFor();
  });

  it("methods are compared over a range of k", async () => {
    await step(page, "Compare");
    await page.locator('input[value="mondrian"]').check();
    await page.getByRole("button", { name: /^Compare|^Run/ }).first().click();
    await page.getByRole("table").first().waitFor();
  });

  it("the release is published as a table", async () => {
    await publish(page);
    const zip = await zipped(page);
    for (const name of ["records.csv", "manifest.json", "report.html"]) assert.ok(zip.includes(name), name);
    assert.ok(!zip.includes("release.csv"));
  });

  for (const [what, options] of LOOKS) {
    it(`no screen has a serious accessibility violation or scrolls sideways: ${what}`, () => everyScreen(bench, projectOf(page), options));
  }

  it("nothing complained and nobody else was asked", () => assert.deepEqual(bench.complaints, []));
});

describe("sets", () => {
  let bench;
  let page;
  before(async () => {
    bench = await Bench.open();
    page = await bench.page();
  });
  after(() => bench.close());

  it("baskets open as sets", async () => {
    await sample(page, "Baskets", 800);
    await page.getByText(/^800 people, .* without order\.$/).waitFor();
    assert.ok(await page.getByRole("radio", { name: "Sets" }).isChecked());
  });

  it("a policy is derived, shown, edited and brought back", async () => {
    await step(page, "Meaning");
    await page.getByRole("link", { name: /^Privacy policy/ }).click();
    const text = page.getByLabel("Privacy policy, as text");
    await page.waitForFunction(() => document.querySelector("textarea")?.value.includes("whole-milk"));
    const given = await text.inputValue();
    await page.getByLabel("Derive").selectOption("frequency");
    await page.getByRole("button", { name: "Make one from the data" }).click();
    await page.getByText(/It was cut from the data/).waitFor();
    await page.getByRole("button", { name: /^Undo \(1\)/ }).click();
    await page.waitForFunction((was) => document.querySelector("textarea")?.value === was, given);
  });

  it("an attacker knows items, not events", async () => {
    await step(page, "Risk today");
    await page.getByRole("img", { name: /share of people by known items/ }).waitFor();
    assert.equal(await page.getByLabel("I know the order too").count(), 0);
  });

  it("a method for sets keeps its promise, and says how far frequencies are off", async () => {
    await choose(page, "apriori");
    await fill(page, "k", "3");
    await fill(page, "m", "2");
    await run(page);
    await page.getByRole("link", { name: "Look at the result" }).click();
    await page.getByRole("heading", { name: "The promise holds" }).waitFor();
    await page.getByRole("heading", { name: "Relative error of original items" }).waitFor();
  });

  it("the release is published as sets", async () => {
    await publish(page);
    const zip = await zipped(page);
    for (const name of ["release.csv", "manifest.json", "report.html"]) assert.ok(zip.includes(name), name);
  });

  for (const [what, options] of LOOKS) {
    it(`no screen has a serious accessibility violation or scrolls sideways: ${what}`, () => everyScreen(bench, projectOf(page), options));
  }

  it("nothing complained and nobody else was asked", () => assert.deepEqual(bench.complaints, []));
});
