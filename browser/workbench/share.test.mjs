// What leaves the workbench and comes back: a project as one file, the files of a copied command, several files at once.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { Bench, THRONG, choose, fill, part, publish, sample, step } from "./bench.mjs";

const run = promisify(execFile);

/** Clicks something that is downloaded, and gives back where it is. */
async function saved(page, link) {
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  return { path: await download.path(), name: download.suggestedFilename() };
}

/** The records of a release, whatever they are numbered, with the members of each item in place of its short name. */
function records(text, items) {
  const rows = items.trim().split("\n").slice(1).map((row) => row.split(","));
  const whole = (name) => rows.filter(([item]) => item === name).map(([, member]) => member).toSorted().join("|") || name;
  const found = new Map();
  for (const row of text.trim().split("\n").slice(1)) {
    const [, record, rest] = /^(\d+),(.*)$/.exec(row);
    found.set(record, `${found.get(record) ?? ""}${whole(rest)}\n`);
  }
  return [...found.values()].toSorted();
}

describe("what leaves the workbench and comes back", () => {
  let bench;
  before(async () => (bench = await Bench.open()));
  after(() => bench.close());

  it("a project is saved as one file and opened again, with its edits, its inputs and undo", async () => {
    const page = await bench.page();
    await sample(page, "City", 200);
    await part(page, "Rows");
    await page.getByText("Change many rows, add rows and columns").click();
    await page.getByLabel("Show rows with").fill("p000001");
    await page.getByRole("button", { name: /^Delete the \d+ rows? that fit/ }).click();
    await page.getByText("No rows fit.").waitFor();
    await step(page, "Meaning");
    await page.getByRole("link", { name: /^Query workload/ }).click();
    await page.getByRole("button", { name: "Make one from the data" }).click();
    await page.getByRole("heading", { name: "100 queries" }).waitFor();
    const { path, name } = await saved(page, page.getByRole("link", { name: "Save the project as one file" }));
    assert.equal(name, "city.throng.zip");

    const other = await bench.page();
    await other.getByLabel("Choose a file").setInputFiles({ name, mimeType: "application/zip", buffer: await readFile(path) });
    await other.getByRole("heading", { level: 1, name: "Data" }).waitFor();
    await other.getByText(/^199 people/).waitFor();
    await other.getByRole("button", { name: "Undo (2)" }).click();
    await other.getByRole("button", { name: "Undo (1)" }).click();
    await other.getByText(/^200 people/).waitFor();
    await other.context().close();
    await page.context().close();
  });

  it("a copied command runs as it stands beside the files it names", async () => {
    const page = await bench.page();
    await sample(page, "City", 200);
    await part(page, "Rows");
    await page.getByText("Change many rows, add rows and columns").click();
    await page.getByLabel("Show rows with").fill("p000001");
    await page.getByRole("button", { name: /^Delete the/ }).click();
    await page.getByText("No rows fit.").waitFor();
    await choose(page, "seqanon");
    await fill(page, "k", "3");
    await page.getByRole("button", { name: "Copy as recipe or command" }).click();
    const text = page.getByLabel("Command", { exact: true }).filter({ hasText: "throng anonymize" });
    await text.waitFor();
    const command = await text.textContent();
    assert.match(command, /city-edited\.csv/);
    const { path } = await saved(page, page.getByRole("link", { name: /^Save the files that they name/ }));
    const folder = await mkdtemp(join(tmpdir(), "throng-copied-"));
    try {
      await run("python3", ["-m", "zipfile", "-e", path, folder]);
      const words = command.replace(/^throng /, `${THRONG} `);
      await run("sh", ["-c", `${words} --no-ledger`], { cwd: folder });
      const manifest = JSON.parse(await readFile(join(folder, "release", "manifest.json"), "utf8"));
      assert.equal(manifest.verdict.holds, true);
      // The same release as the workbench makes: its records have an order of their own, drawn by each run, and nothing else differs.
      await page.keyboard.press("Escape");
      await page.getByRole("complementary", { name: "Before you run" }).getByRole("button", { name: "Run" }).click();
      await page.getByRole("link", { name: "Look at the result" }).waitFor();
      const job = /run\/(\w+)/.exec(page.url())[1];
      await publish(page);
      const own = (name) => page.evaluate((address) => fetch(address).then((answer) => answer.text()), `/api/jobs/${job}/files${name}`);
      const typed = (name) => readFile(join(folder, "release", name), "utf8");
      assert.deepEqual(records(await typed("release.csv"), await typed("items.csv")), records(await own("/release.csv"), await own("/items.csv")));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    await page.context().close();
  });

  it("several files at once: one is the data, the others go with it", async () => {
    const page = await bench.page();
    const file = (name, text) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
    const trips = ["subject,item", ...Array.from({ length: 30 }, (_, i) => `p${i},${["zoo", "pub", "mall"][i % 3]}`)].join("\n");
    await page.getByLabel("Choose a file").setInputFiles([file("places.csv", "item,x,y\nzoo,0,0\npub,1,0\nmall,0,1\n"), file("trips.csv", trips)]);
    const list = page.getByRole("region", { name: "Several files" });
    assert.equal(await list.getByLabel("What places.csv is").inputValue(), "places");
    assert.equal(await list.getByLabel("What trips.csv is").inputValue(), "data");
    assert.deepEqual(await bench.violations(page), []);
    await list.getByRole("button", { name: "Open them together" }).click();
    await page.getByText(/^30 people, 3 items/).waitFor();
    await part(page, "Map");
    await page.getByRole("heading", { name: "Where" }).waitFor();
    await page.context().close();
  });

  it("the pages logged no error", () => assert.deepEqual(bench.complaints, []));
});
