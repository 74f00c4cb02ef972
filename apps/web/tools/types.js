// Writes src/lib/api-types.ts from the description that a running workbench gives of itself: `make web-types`.

import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";
import { fingerprint } from "./fingerprint.js";

/** Names under .localhost are this machine, which not every resolver knows. */
const ask = (address, cookie) =>
  new Promise((good, bad) => {
    const { host, port, pathname, search } = new URL(address);
    const request = get({ host: "127.0.0.1", port, path: pathname + search, headers: { host, cookie } }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part) => (text += part)).on("end", () => good({ headers: answer.headers, text }));
    });
    request.on("error", bad);
  });

const OUT = fileURLToPath(new URL("../src/lib/api-types.ts", import.meta.url));
const home = await mkdtemp(join(tmpdir(), "throng-types-"));
const server = spawn(process.env.THRONG ?? "throng", ["serve", "--no-browser", "--port", "0", "--data-dir", home], { stdio: ["ignore", "pipe", "inherit"] });
try {
  const address = await new Promise((good, bad) => {
    let said = "";
    server.stdout.on("data", (part) => {
      const found = /http:\/\/\S+/.exec((said += part));
      if (found) good(found[0]);
    });
    server.on("exit", () => bad(new Error("the workbench did not start")));
  });
  const cookie = (await ask(address, "")).headers["set-cookie"].map((line) => line.split(";")[0]).join("; ");
  const description = JSON.parse((await ask(new URL("/api/openapi.json", address), cookie)).text);
  // Addresses are written in ui/api/client.ts, where they are used; the shapes are what both sides must agree on.
  const types = astToString(await openapiTS({ ...description, paths: {} }, { alphabetize: true, defaultNonNullable: false }));
  await writeFile(OUT, `// Written by \`make web-types\` from the server's own description. Do not edit.\n// shapes ${fingerprint(description)}\n\n${types}`);
} finally {
  server.kill("SIGINT");
  await new Promise((gone) => (server.exitCode === null ? server.once("exit", gone) : gone()));
  await rm(home, { recursive: true, force: true });
}
