// Files as publishers have them: what they are is found by looking, said with the first values, and asked where it is not clear.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Bench, choose, part, step } from "./bench.mjs";
import { workbook, zip } from "./packed.mjs";

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

  it("the sheet of a workbook is a table like any other", async () => {
    const lines = Array.from({ length: 36 }, (_, i) => [`u${i % 9}`, WARDS[i % 3], `2024-03-${String(1 + (i % 28)).padStart(2, "0")}`]);
    const page = await open("aufenthalte.xlsx", workbook([["patient_id", "ward", "date"], ...lines]));
    await page.getByText(/^9 people/).waitFor();
    assert.deepEqual(await Promise.all(["patient_id", "ward", "date"].map((column) => role(page, column))), ["subject", "item", "time"]);
    await page.getByRole("cell", { name: "Küche" }).first().waitFor();
    await page.context().close();
  });

  it("plain lines of items in order are said to be that", async () => {
    const text = Array.from({ length: 40 }, (_, i) => ["home", WARDS[i % 3], i % 2 ? "shop" : "school"].join(",")).join("\n");
    // They could be a table as well, whose first line has names.
    const page = await open("ways.txt", text);
    await page.getByRole("heading", { name: "The first rows" }).waitFor();
    await page.getByText("Wrong format? Change import settings").click();
    await page.getByLabel("Every line is a record: its items in order").check();
    await page.getByLabel("separated by", { exact: true }).fill(",");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByText(/^40 people, 6 items/).waitFor();
    assert.equal(await role(page, "item"), "item");
    await part(page, "Rows");
    await page.getByRole("gridcell", { name: "Küche" }).first().waitFor();
    await choose(page, "suppress");
    await page.getByRole("button", { name: "Copy as recipe or command" }).click();
    const command = page.getByLabel("Command", { exact: true }).filter({ hasText: "throng anonymize" });
    assert.match(await command.textContent(), /ways\.txt --separator , --input-format lines/);
    await page.context().close();
  });

  it("a zip with one file is that file", async () => {
    const page = await open("klicks.zip", zip([["klicks.csv", rows("user,page,ts", (i) => `u${i % 7},/p${i % 5},${1700000000 + 60 * i}`)]]));
    await page.getByText(/^7 people/).waitFor();
    assert.equal(await role(page, "page"), "item");
    await page.context().close();
  });

  it("attributes in the same table are taken along, and a column that varies is refused with a way out", async () => {
    const line = (i) => `u${i % 10},${WARDS[i % 3]},2024-03-${String(1 + (i % 28)).padStart(2, "0")},${20 + (i % 10)},${i % 2 ? "f" : "m"},${i % 4}`;
    const page = await open("besuche.csv", rows("user_id,station,date,age,sex,mood", line));
    await page.getByText(/^10 people/).waitFor();
    const own = page.getByRole("group", { name: "Columns that belong to the person" });
    assert.equal(await own.getByLabel(/^age/).isChecked(), true);
    assert.equal(await own.getByLabel(/^mood/).isChecked(), false);
    assert.deepEqual(await bench.violations(page), []);
    await own.getByLabel(/^mood/).check();
    await own.getByRole("button", { name: "Take them as attributes of people" }).click();
    await own.getByRole("alert").filter({ hasText: "10 people have several values in the column mood" }).waitFor();
    await own.getByLabel("Take the first value of each").check();
    await own.getByRole("button", { name: "Take them as attributes of people" }).click();
    const people = page.getByRole("table", { name: "Columns of the attributes" });
    await people.getByLabel("Role of age").selectOption("quasi-identifying");
    await people.getByLabel("Role of sex").selectOption("insensitive");
    await page.getByRole("button", { name: "Confirm the roles" }).click();
    await page.getByText("The roles are confirmed.").waitFor();
    await choose(page, "suppress");
    await page.getByRole("checkbox", { name: "sex" }).waitFor();
    // What was taken is a copy: when the rows change, it is told, and taken again.
    await step(page, "Data");
    await part(page, "Rows");
    await page.getByText("Change many rows, add rows and columns").click();
    await page.getByLabel("Show rows with").fill("u3");
    await page.getByRole("button", { name: /^Delete the/ }).click();
    await page.getByText("No rows fit.").waitFor();
    await part(page, "Columns");
    await page.getByText("The attributes of people are older than the rows").waitFor();
    assert.deepEqual(await bench.violations(page), []);
    await page.getByRole("button", { name: "Take them again" }).click();
    await page.getByText("The attributes of people are older than the rows").waitFor({ state: "detached" });
    await page.context().close();
  });

  it("latitude and longitude in the same table become the map", async () => {
    const at = [[52.5, 13.4], [52.6, 13.5], [52.4, 13.3]];
    const page = await open("checkins.csv", rows("user_id,venue,lat,lon,ts", (i) => `u${i % 8},${WARDS[i % 3]},${at[i % 3].join(",")},${1700000000 + 60 * i}`));
    await page.getByText(/^8 people/).waitFor();
    const where = page.getByRole("group", { name: "Columns that say where" });
    assert.equal(await where.getByLabel(/^Latitude/).inputValue(), "lat");
    assert.equal(await where.getByLabel(/^Longitude/).inputValue(), "lon");
    await where.getByRole("button", { name: "Take them as places" }).click();
    await where.waitFor({ state: "detached" });
    await part(page, "Map");
    await page.getByRole("heading", { name: "Where" }).waitFor();
    await page.locator("[data-drawn]").waitFor();
    await page.getByRole("button", { name: /^Undo/ }).click();
    await page.getByRole("link", { name: "Add places" }).waitFor();
    await page.context().close();
  });

  it("more places than a map can show are drawn as cells that can be told apart", async () => {
    const page = await open("many.csv", rows("user_id,venue,lat,lon,ts", (i) => `u${i % 40},v${i % 1800},${(52 + ((i % 1800) % 45) / 100).toFixed(2)},${(13 + Math.floor((i % 1800) / 45) / 100).toFixed(2)},${1700000000 + 60 * i}`, 3600));
    await page.getByText(/^40 people/).waitFor();
    const where = page.getByRole("group", { name: "Columns that say where" });
    await where.getByRole("button", { name: "Take them as places" }).click();
    await where.waitFor({ state: "detached" });
    await part(page, "Map");
    await page.locator("[data-drawn]").waitFor();
    const names = await page.getByLabel("Find").locator("option").allTextContents();
    assert.ok(names.length > 100, `${names.length} cells`);
    assert.equal(new Set(names).size, names.length);
    await page.getByLabel("Find").selectOption({ index: 2 });
    await page.getByText(/places.*: [\d,]+ people/).first().waitFor();
    await page.context().close();
  });

  it("points become places of a grid, with a map", async () => {
    const page = await open("gps.csv", rows("id,lat,lon,time", (i) => `${i % 6},${(52.5 + ((i * 7) % 30) / 300).toFixed(5)},${(13.4 + ((i * 11) % 30) / 300).toFixed(5)},${1700000000 + 600 * i}`, 300));
    const points = page.getByRole("region", { name: "Points" });
    await points.getByText(/^300 points become \d+ events at \d+ places/).waitFor();
    await points.locator("[data-drawn]").waitFor();
    const side = points.getByLabel("Side of a cell");
    await side.fill("2km");
    await points.getByRole("button", { name: "Show" }).click();
    await points.getByText(/places of 2000m\./).waitFor();
    const fine = Number(/at (\d+) places/.exec(await points.textContent())[1]);
    await points.getByRole("button", { name: "Coarser" }).click();
    await points.getByText(/places of 5000m\./).waitFor();
    const coarse = Number(/at (\d+) places/.exec(await points.textContent())[1]);
    assert.ok(coarse < fine, `${coarse} of ${fine}`);
    assert.deepEqual(await bench.violations(page), []);
    await side.fill("as wide as a barn");
    await points.getByRole("button", { name: "Show" }).click();
    await points.getByRole("alert").filter({ hasText: "a distance such as 500m" }).waitFor();
    await side.fill("5km");
    await points.getByRole("button", { name: "Show" }).click();
    await points.getByRole("alert").waitFor({ state: "detached" });
    await points.getByRole("button", { name: "Make the cells places" }).click();
    await page.getByRole("heading", { name: "Where" }).waitFor();
    await page.getByText(/^6 people, \d+ items/).waitFor();
    await page.getByLabel("Find").locator("option").nth(1).waitFor({ state: "attached" });
    assert.equal(await page.getByLabel("Find").locator("option").count(), coarse + 1);
    await page.locator("[data-drawn]").waitFor();
    assert.deepEqual(await bench.violations(page), []);
    await page.context().close();
  });

  it("a person column with a value of its own in each row is doubted, and another one is taken", async () => {
    const page = await open("rows.csv", rows("user_id,code,place", (i) => `r${i},m${i % 5},${WARDS[i % 3]}`));
    await page.getByText(/user_id has a different value in each of 40 rows/).waitFor();
    await page.getByLabel("Role of user_id").selectOption("none");
    await page.getByLabel("Role of code").selectOption("subject");
    await page.getByRole("button", { name: /^(Apply|Confirm the roles)$/ }).click();
    await page.getByText(/^5 people/).waitFor();
    // What the user says by hand is taken.
    await page.getByLabel("Role of user_id").selectOption("subject");
    await page.getByLabel("Role of code").selectOption("none");
    await page.getByRole("button", { name: /^(Apply|Confirm the roles)$/ }).click();
    await page.getByText(/^40 people/).waitFor();
    await page.context().close();
  });

  it("a file that is dropped beside the place for files is not lost, nor is a second one", async () => {
    const page = await open("first.csv", rows("user,page,ts", (i) => `u${i % 7},/p${i % 5},${1700000000 + 60 * i}`));
    const text = rows("user,page,ts", (i) => `u${i % 4},/p${i % 5},${1700000000 + 60 * i}`);
    const drop = (names) => page.evaluateHandle(([names, text]) => {
      const hand = new DataTransfer();
      for (const name of names) hand.items.add(new File([text], name, { type: "text/csv" }));
      return hand;
    }, [names, text]);
    await page.getByRole("heading", { level: 1, name: "Data" }).dispatchEvent("drop", { dataTransfer: await drop(["second.csv"]) });
    await page.getByText(/^4 people/).waitFor();
    await page.goto(`${bench.origin}/#/`);
    const zone = page.getByRole("region", { name: "Your own file" });
    await zone.dispatchEvent("drop", { dataTransfer: await drop(["trips.csv", "notes.csv"]) });
    await zone.dispatchEvent("drop", { dataTransfer: await drop(["third.csv"]) });
    const list = page.getByRole("region", { name: "Several files" });
    await list.getByLabel("What third.csv is").waitFor();
    await list.getByLabel("What trips.csv is").waitFor();
    await page.context().close();
  });

  it("the pages logged no error but the refusals that were asked for", () => assert.deepEqual(bench.complaints.filter((text) => !/status of 422.*(records\/generate|points)/.test(text)), []));
});
