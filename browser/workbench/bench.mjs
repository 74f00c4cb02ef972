// A workbench of its own for each test file: a fresh data directory, a free port, a browser that notes every complaint.

import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { PATIENCE, launch, within } from "../browser.js";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = resolve(HERE, "../..");
const BUILT = process.env.CARGO_TARGET_DIR ?? join(ROOT, "target");
export const THRONG = process.env.THRONG ?? join(BUILT, "debug", "throng");
// Maps are drawn in software: test machines have no graphics card.
const DRAWING = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

/** Starts `throng serve` and waits for the address it prints. */
async function serve(home, port = "0") {
  const child = spawn(THRONG, ["serve", "--no-browser", "--port", port, "--data-dir", home], {
    stdio: ["ignore", "pipe", "pipe"],
    // Releases of tests do not belong into the user's own ledger.
    env: { ...process.env, THRONG_LEDGER: join(home, "ledger.jsonl") },
  });
  let said = "";
  child.stderr.on("data", (part) => (said += part));
  const printed = new Promise((good, bad) => {
    let out = "";
    child.stdout.on("data", (part) => {
      out += part;
      const found = /http:\/\/\S+/.exec(out);
      if (found) good(found[0]);
    });
    child.on("exit", (code) => bad(new Error(`throng serve ended with ${code}: ${said}`)));
    child.on("error", bad);
  });
  try {
    return { child, address: await within("the address that `throng serve` prints", printed) };
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
}

async function stop(child) {
  if (child.exitCode !== null) return;
  const gone = new Promise((done) => child.once("exit", done));
  child.kill("SIGINT");
  try {
    await within("the end of `throng serve`", gone);
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
}

export class Bench {
  static async open() {
    const bench = new Bench();
    bench.home = await mkdtemp(join(tmpdir(), "throng-bench-"));
    Object.assign(bench, await serve(bench.home));
    bench.origin = new URL(bench.address).origin;
    bench.browser = await launch(DRAWING);
    bench.axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    bench.complaints = [];
    return bench;
  }

  /** A tab that is logged in. The printed address works once, so later tabs share its cookie. */
  async page(options = {}) {
    const { width = 1280, height = 860, dark = false } = options;
    const context = await this.browser.newContext({ viewport: { width, height }, colorScheme: dark ? "dark" : "light", acceptDownloads: true });
    if (this.cookies) await context.addCookies(this.cookies);
    context.setDefaultTimeout(PATIENCE);
    const page = await context.newPage();
    page.on("console", (message) => message.type() === "error" && this.complaints.push(`console: ${message.text()} (${message.location().url})`));
    page.on("pageerror", (error) => this.complaints.push(`error: ${error.message}`));
    page.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (origin !== this.origin && !["data:", "blob:"].includes(protocol)) this.complaints.push(`asked another host: ${request.url()}`);
    });
    await page.goto(this.cookies ? this.origin : this.address);
    this.cookies ??= await context.cookies();
    await page.getByRole("heading", { level: 1 }).waitFor();
    return page;
  }

  /** Stops the workbench; tabs stay open. */
  async halt() {
    await stop(this.child);
  }

  /** Starts it again on the same port, with the same data. It prints a new address and knows no browser. */
  async resume() {
    Object.assign(this, await serve(this.home, new URL(this.origin).port));
  }

  async close() {
    await this.browser?.close();
    if (this.child) await stop(this.child);
    await rm(this.home, { recursive: true, force: true });
  }

  /** Serious violations of the accessibility rules, in words. */
  async violations(page) {
    await page.evaluate(`${this.axe}; undefined`);
    const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }).then((result) => result.violations));
    return found
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`);
  }
}

/** Whether the page is wider than the window. */
export const tooWide = (page) => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);

export const step = async (page, name) => {
  await page.getByRole("navigation", { name: "Steps" }).getByRole("link", { name }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
};

/** Opens a small sample world, so that tests are quick. */
export async function sample(page, title, people) {
  await page.getByLabel("Number of people in a sample world").fill(String(people));
  await page.getByRole("button", { name: `Open ${title}`, exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Data" }).waitFor();
  await page.getByRole("heading", { name: "Columns" }).waitFor();
}

/** Chooses a method by name, wherever the presets stand. */
export async function choose(page, method) {
  await step(page, "Promise and method");
  const all = page.locator("details", { hasText: "All promises and methods" }).first();
  if (!(await all.getAttribute("open"))) await all.locator("summary").first().click().catch(() => undefined);
  if (!(await page.locator(`input[value="${method}"]`).isVisible())) await all.locator("summary").first().click();
  await page.locator(`input[value="${method}"]`).check();
}

/** A part of the Data screen. */
export async function part(page, name) {
  const link = page.getByRole("navigation", { name: "Parts of the data" }).getByRole("link", { name: new RegExp(`^${name}`) });
  await link.click();
  await link.and(page.locator("[aria-current]")).waitFor();
}

/** Ticks every point of the release's own checklist. */
export async function tick(page) {
  const list = page.getByRole("form", { name: "Checklist" });
  await list.getByLabel("I know what is not promised").waitFor();
  for (const box of await list.locator(".item input[type=checkbox]").all()) await box.check();
}

/** Ticks the whole checklist and clears the release. */
export async function publish(page) {
  await step(page, "Publish");
  await tick(page);
  await page.getByRole("button", { name: "Clear it for publishing" }).click();
  await page.getByRole("link", { name: "The release (.zip)" }).waitFor();
}

export async function run(page) {
  const button = page.getByRole("complementary", { name: "Before you run" }).getByRole("button", { name: "Run" });
  await button.click();
  await page.getByRole("heading", { level: 1, name: "Run" }).waitFor();
}

/** Fills the field of a parameter, on a page or in a part of it. */
export async function fill(place, letter, value) {
  await place.locator(".field").filter({ has: (place.page?.() ?? place).locator("code", { hasText: new RegExp(`^${letter}$`) }) }).locator("input").first().fill(value);
}

/** The address of the project that is open. */
export const projectOf = (page) => /#\/p\/([^/]+)/.exec(page.url())[1];

/** Starts a job that runs until it is stopped, and looks at it. No screen offers its method. */
export async function runLong(page) {
  await sample(page, "City", 300);
  const project = projectOf(page);
  const job = await page.evaluate(
    (address) => fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ kind: "anonymize", method: "wait-for-cancel", settings: {} }) }).then((answer) => answer.json()),
    `/api/projects/${project}/jobs`,
  );
  await page.goto(`${new URL(page.url()).origin}/#/p/${project}/run/${job.id}`);
  // The page did not start it, and hears of it when the project is opened.
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Run" }).waitFor();
}
