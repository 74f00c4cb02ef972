// The main way without a mouse: only keys are pressed, and focus is where the next key is expected.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Bench } from "./bench.mjs";

/** Presses Tab until the focused element's words fit. A way of very many presses is too long to be used. */
async function tabTo(page, words, most = 60) {
  // What is not there yet is waited for, not tabbed past.
  await page.waitForFunction(
    ([source, flags]) => [...document.querySelectorAll("a[href], button:enabled, input:enabled, select:enabled, [tabindex='0']")].some((at) => {
      const label = at.labels?.[0]?.textContent ?? "";
      const text = `${at.getAttribute("aria-label") ?? ""} ${label} ${at.tagName === "SELECT" ? "" : (at.textContent ?? "")}`.replace(/\s+/g, " ").trim();
      return new RegExp(source, flags).test(text);
    }),
    [words.source, words.flags],
  );
  for (let i = 0; i < most; i += 1) {
    await page.keyboard.press("Tab");
    const text = await page.evaluate(() => {
      const at = document.activeElement;
      const label = at?.labels?.[0]?.textContent ?? "";
      return `${at?.getAttribute("aria-label") ?? ""} ${label} ${at?.tagName === "SELECT" ? "" : (at?.textContent ?? "")}`.replace(/\s+/g, " ").trim();
    });
    if (words.test(text)) return i + 1;
  }
  throw new Error(`Tab does not reach ${words}`);
}

const heading = (page, name) => page.getByRole("heading", { level: 1, name }).waitFor();

/** Whether the focused element shows that it has the focus. */
const visible = (page) => page.evaluate(() => {
  const at = document.activeElement;
  const shown = at?.matches("input[type=file]") ? document.querySelector(`label[for="${at.id}"]`) : at;
  const { outlineStyle, outlineWidth } = getComputedStyle(shown);
  return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
});

describe("without a mouse", () => {
  let bench;
  let page;
  before(async () => {
    bench = await Bench.open();
    page = await bench.page();
  });
  after(() => bench.close());

  it("the first Tab skips to the content, and a sample opens with Enter", async () => {
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Skip to the content");
    await page.keyboard.press("Enter");
    await tabTo(page, /Number of people/);
    await page.keyboard.type("500");
    await tabTo(page, /^Open ?City$/);
    assert.ok(await visible(page));
    await page.keyboard.press("Enter");
    await heading(page, "Data");
    // The new screen has the focus.
    await page.waitForFunction(() => document.activeElement?.tagName === "H1");
  });

  it("from screen to screen with the link at the end", async () => {
    for (const name of ["Meaning", "Risk today", "Patterns", "Promise and method"]) {
      await tabTo(page, new RegExp(`^Next: ${name}`), 120);
      assert.ok(await visible(page));
      await page.keyboard.press("Enter");
      await heading(page, name);
    }
  });

  it("a promise is chosen and run", async () => {
    await tabTo(page, /Two known places identify no one/);
    await page.keyboard.press("Space");
    await page.locator("aside button.primary:enabled").waitFor();
    await tabTo(page, /^Run$/, 80);
    await page.keyboard.press("Enter");
    await heading(page, "Run");
    await page.getByRole("link", { name: "Look at the result" }).waitFor();
    await tabTo(page, /^Look at the result$/);
    await page.keyboard.press("Enter");
    await heading(page, "Result");
    await page.getByRole("heading", { name: "The promise holds" }).waitFor();
  });

  it("the checklist is ticked and the release cleared", async () => {
    for (const name of ["Compare", "Publish"]) {
      await tabTo(page, new RegExp(`^Next: ${name}`), 200);
      await page.keyboard.press("Enter");
      await heading(page, name);
    }
    for (const name of [/^The promise was verified/, /use(ful enough for its readers)?$/, /^The order of the records says nothing/, /^Identifiers are dropped/, /^I know what is not promised/]) {
      await tabTo(page, name);
      await page.keyboard.press("Space");
    }
    await tabTo(page, /^Clear it for publishing$/);
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "The release (.zip)" }).waitFor();
  });

  it("the pages logged no error", () => assert.deepEqual(bench.complaints, []));
});
