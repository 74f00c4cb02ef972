// Patterns of single people: brought in beside the data, looked at, and hidden by a method that asks for them or for a list.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Bench, choose, run, step } from "./bench.mjs";

const csv = (name, lines) => ({ name, mimeType: "text/csv", buffer: Buffer.from(`${lines.join("\n")}\n`) });
const WAY = ["clinic", "pharmacy", "bank"];
const EVENTS = ["subject,item", ...Array.from({ length: 6 }, (_, i) => WAY.map((item) => `p${i},${item}`)).flat()];
const TAXONOMY = ["clinic;health;any", "pharmacy;health;any", "bank;money;any"];

describe("patterns of single people", () => {
  let bench;
  before(async () => (bench = await Bench.open()));
  after(() => bench.close());

  it("a file of them is told by its name, and used in place of a list", async () => {
    const page = await bench.page();
    const theirs = csv("person-patterns.csv", ["subject,pattern", "p1,clinic > bank", "p1,pharmacy > bank"]);
    await page.getByLabel("Choose a file").setInputFiles([csv("errands.csv", EVENTS), csv("taxonomy.csv", TAXONOMY), theirs]);
    const list = page.getByRole("region", { name: "Several files" });
    assert.equal(await list.getByLabel("What person-patterns.csv is").inputValue(), "person-patterns");
    await list.getByRole("button", { name: "Open them together" }).click();
    await page.getByRole("button", { name: "Confirm the roles" }).click();
    await page.getByText("The roles are confirmed.").waitFor();

    await step(page, "Meaning");
    await page.getByRole("link", { name: /^Patterns of single people 2/ }).click();
    await page.getByText(/^Methods that use it: mi-bottom-up, mi-top-down/).waitFor();
    assert.deepEqual(await bench.violations(page), []);

    // A list for all people is not asked for where there is one for single people.
    await choose(page, "mi-top-down");
    await run(page);
    await page.getByRole("link", { name: "Look at the result" }).click();
    await page.getByRole("heading", { level: 1, name: "Result" }).waitFor();
    await page.context().close();
  });

  it("the pages logged no error", () => assert.deepEqual(bench.complaints, []));
});
