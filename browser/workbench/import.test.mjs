// Files as publishers have them: what they are is found by looking, said with the first values, and asked where it is not clear.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Bench, part } from "./bench.mjs";

const rows = (header, line, n = 40) => [header, ...Array.from({ length: n }, (_, i) => line(i))].join("\n");
const WARDS = ["Notaufnahme", "Chirurgie", "Küche"];

describe("bringing files in", () => {
  let bench;
  before(async () => (bench = await Bench.open()));
  after(() => bench.close());

  async function open(name, content) {
    const page = await bench.page();
    await page.getByLabel("Choose a file").setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.isBuffer(content) ? content : Buffer.from(content) });
    await page.getByRole("heading", { level: 1, name: "Data" }).waitFor();
    await page.getByRole("heading", { name: "Columns" }).waitFor();
    return page;
  }
  const role = (page, column) => page.getByLabel(`Role of ${column}`).inputValue();

  it("semicolons, day-first dates and Latin-1 are recognised, and said", async () => {
    const text = rows("user_id;station;datum", (i) => `u${i % 10};${WARDS[i % 3]};${String(13 + (i % 15)).padStart(2, "0")}.03.2024 08:${String(i % 60).padStart(2, "0")}`);
    const page = await open("fahrten.csv", Buffer.from(text, "latin1"));
    await page.getByText(/^10 people/).waitFor();
    assert.equal(await role(page, "user_id"), "subject");
    assert.equal(await role(page, "station"), "item");
    assert.equal(await role(page, "datum"), "time");
    await page.getByText(/Küche/).first().waitFor();
    await page.getByText("What was recognised about the file").waitFor();
    assert.deepEqual(await bench.violations(page), []);
    await part(page, "Histograms");
    await page.getByRole("heading", { name: "When things happened" }).waitFor();
    await page.context().close();
  });

  it("JSON lines are rows with columns", async () => {
    const text = Array.from({ length: 30 }, (_, i) => JSON.stringify({ user: `u${i % 6}`, page: `/p${i % 4}`, ts: 1700000000 + i * 60 })).join("\n");
    const page = await open("clicks.jsonl", text);
    await page.getByText(/^6 people/).waitFor();
    assert.equal(await role(page, "page"), "item");
    await page.context().close();
  });

  it("where it is not clear who the person is, it is asked, and the answer is one click", async () => {
    const page = await open("visits.csv", rows("card,member,place", (i) => `c${i % 8},m${i % 5},${WARDS[i % 3]}`));
    await page.getByText("A question first").waitFor();
    assert.deepEqual(await bench.violations(page), []);
    await page.getByRole("button", { name: /^member is the person/ }).click();
    await page.getByText(/^5 people/).waitFor();
    assert.equal(await page.getByText("A question first").count(), 0);
    await page.context().close();
  });

  it("nothing complained", () => assert.deepEqual(bench.complaints, []));
});
