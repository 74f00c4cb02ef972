// Every screen, light and dark, for the README: `make screenshots`.

import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { png } from "./palette.mjs";
import { Bench, run, sample, step } from "./bench.mjs";
import { pictureName, SCREENS } from "./screens.mjs";

const OUT = resolve(dirname(fileURLToPath(import.meta.url)), "../../docs/screenshots");

/** The page as it looks now, packed. The browser itself unpacks its screenshot. */
async function picture(page) {
  const shot = `data:image/png;base64,${(await page.screenshot()).toString("base64")}`;
  const { width, height, bytes } = await page.evaluate(async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, 0, image.width, image.height);
    let text = "";
    for (let i = 0; i < data.length; i += 8192) text += String.fromCharCode(...data.subarray(i, i + 8192));
    return { width: image.width, height: image.height, bytes: btoa(text) };
  }, shot);
  const data = Buffer.from(bytes, "base64");
  return png(width, height, Uint32Array.from({ length: width * height }, (_, i) => data.readUInt32BE(i * 4) >>> 8));
}

/** Every clone of the repository fetches the pictures. */
const MAX_BYTES = 80_000;

/** Everything that is drawn late is there: data, and maps after their data. What is folded away is not waited for. */
async function settled(page) {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForLoadState("networkidle");
  await page.waitForFunction(() => [...document.querySelectorAll(".map")].every((map) => map.dataset.drawn) && ![...document.querySelectorAll(".busy")].some((note) => note.checkVisibility()));
}

async function know(page, item) {
  const field = page.getByRole("combobox", { name: "I know that this happened" });
  await field.fill(item);
  await page.getByRole("option", { name: new RegExp(`^${item}\\b`) }).first().waitFor();
  await field.press("Enter");
}

await mkdir(OUT, { recursive: true });
const bench = await Bench.open();
try {
  const page = await bench.page();
  await sample(page, "City", 2000);
  await step(page, "Promise and method");
  await page.getByRole("radiogroup", { name: "What should hold" }).getByRole("radio").first().check();
  await run(page);
  await page.getByRole("link", { name: "Look at the result" }).waitFor();
  await step(page, "Compare");
  for (const method of ["seqanon", "sd-seqanon", "bf-p2ka"]) await page.locator(`input[value="${method}"]`).check();
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await page.getByRole("button", { name: "All numbers as CSV" }).waitFor();
  const project = /#\/p\/[^/]+/.exec(page.url())[0];

  for (const dark of [false, true]) {
    const tab = await bench.page({ dark, width: 1280, height: 800 });
    for (const name of SCREENS) {
      await tab.goto(`${bench.origin}/${name === "start" ? "#/" : `${project}/${name}`}`);
      await settled(tab);
      if (name === "risk") {
        for (const item of ["D4", "G7"]) await know(tab, item);
        await tab.locator(".answer").waitFor();
        await tab.evaluate(() => scrollTo(0, 210));
      }
      // A preset is chosen in each browser anew.
      if (name === "method") await tab.getByRole("radiogroup", { name: "What should hold" }).getByRole("radio").first().check();
      await settled(tab);
      const bytes = await picture(tab);
      if (bytes.length > MAX_BYTES) throw new Error(`${name} has ${bytes.length} bytes; at most ${MAX_BYTES} are kept`);
      await writeFile(join(OUT, pictureName(name, dark)), bytes);
    }
    await tab.context().close();
  }
} finally {
  await bench.close();
}
