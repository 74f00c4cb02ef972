// The cookie of the workbench: browsers send cookies to every port of a host, and other servers run on this machine.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, it } from "node:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Bench } from "./bench.mjs";
import { within } from "../browser.js";

describe("another server on this machine", () => {
  let bench;
  let page;
  let other;
  const heard = [];
  before(async () => {
    bench = await Bench.open();
    page = await bench.page();
    other = createServer((request, answer) => {
      heard.push({ host: request.headers.host, cookie: request.headers.cookie ?? "" });
      answer.setHeader("content-type", "text/html").end("<title>another</title><img src='/picture'>");
    });
    await new Promise((listening) => other.listen(0, "127.0.0.1", listening));
  });
  after(async () => {
    other.close();
    await bench.close();
  });

  it("is never sent the cookie, under any name it can know", async () => {
    const { port } = other.address();
    assert.equal((await page.context().cookies(bench.origin)).length, 1, "the browser is signed in");
    const visitor = await page.context().newPage();
    for (const name of ["127.0.0.1", "localhost", "throng.localhost"]) {
      await visitor.goto(`http://${name}:${port}/`);
      // What a page asks its own server for comes from the same site.
      await visitor.evaluate(() => fetch("/more").then((answer) => answer.text()));
    }
    await visitor.close();
    const names = new Set(heard.map(({ host }) => host.split(":")[0]));
    assert.deepEqual([...names].sort(), ["127.0.0.1", "localhost", "throng.localhost"]);
    assert.deepEqual(heard.filter(({ cookie }) => cookie !== ""), []);
  });

  it("a browser that opens the plain address is led to the secret name, and back to it after that", async () => {
    const { port } = new URL(bench.origin);
    await bench.halt();
    await bench.resume();
    const fresh = await bench.browser.newContext();
    const tab = await fresh.newPage();
    const plain = bench.address.replace(/^http:\/\/[^:]+/, "http://127.0.0.1");
    await tab.goto(plain);
    await tab.getByRole("heading", { level: 1 }).waitFor();
    assert.equal(new URL(tab.url()).hostname, new URL(bench.address).hostname);
    assert.equal(new URL(tab.url()).port, port);
    const answer = await tab.goto(`http://127.0.0.1:${port}/`);
    assert.equal(answer.status(), 401, "the plain address knows no cookie");
    await fresh.close();
  });

  it("the page in a file that opens the browser leads in", async () => {
    await bench.halt();
    await bench.resume();
    const folder = await mkdtemp(join(tmpdir(), "throng-way-in-"));
    const file = join(folder, "open.html");
    await writeFile(file, `<!doctype html><meta http-equiv="refresh" content="0; url=${bench.address}">`);
    const fresh = await bench.browser.newContext();
    const tab = await fresh.newPage();
    await tab.goto(`file://${file}`);
    await tab.getByRole("heading", { level: 1, name: "Start" }).waitFor();
    await fresh.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("what never comes is named, and not waited for without end", async () => {
    await assert.rejects(within("a call", new Promise(() => {}), 1), /waited 0.001 s in vain for a call/);
  });
});
