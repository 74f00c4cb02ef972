// Pages in a real browser: nothing goes wrong, nothing is fetched, everything is there and can be read by all users.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { PATIENCE, launch } from './browser.js';
import { make } from './pages.js';

// With SCREENSHOTS set to a folder, every page is drawn there for people to look at.
const screenshots = process.env.SCREENSHOTS;
if (screenshots) mkdirSync(screenshots, { recursive: true });

const made = make();
const WIDTHS = [400, 800, 1600];
const SCHEMES = ['light', 'dark'];
let browser;

before(async () => {
  browser = await launch();
});

after(async () => {
  await browser?.close();
  made.clean();
});

/** Opens a page and keeps a record of everything that should not happen. */
async function open(file, options) {
  const context = await browser.newContext({ viewport: { width: options.width, height: 900 }, colorScheme: options.scheme });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const trouble = [];
  const url = pathToFileURL(file).href;
  page.on('console', (message) => trouble.push(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => trouble.push(`error: ${error}`));
  page.on('request', (request) => {
    if (request.url() !== url) trouble.push(`request: ${request.url()}`);
  });
  await page.goto(url);
  return { page, trouble, close: () => context.close() };
}

for (const { name, file, plots, headings, publishable } of made.pages) {
  describe(name, () => {
    for (const width of WIDTHS) {
      for (const scheme of SCHEMES) {
        test(`opens at ${width} px, ${scheme}`, async () => {
          const { page, trouble, close } = await open(file, { width, scheme });
          if (screenshots) {
            const file = `${name}-${width}-${scheme}.png`.replaceAll(/[ ,]+/g, '-');
            await page.screenshot({ path: join(screenshots, file), fullPage: true });
          }
          assert.deepEqual(await drawings(page), [...plots].sort(), 'the drawings that belong on the page');
          for (const plot of plots) {
            const box = await page.locator(`svg[aria-labelledby^="${plot}-title"]`).boundingBox();
            assert.ok(box.width >= Math.min(width * 0.8, 320) && box.height >= 150, `${plot} is ${box.width} x ${box.height}`);
          }
          const wide = await page.evaluate(() => document.documentElement.scrollWidth);
          assert.ok(wide <= width, `the page is ${wide} px wide`);
          const letters = await smallestLetters(page);
          assert.ok(letters >= 9, `letters in drawings are ${letters} px`);
          const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
          assert.equal(ground === 'rgb(255, 255, 255)', scheme === 'light', `the ground is ${ground}`);
          assert.deepEqual(trouble, []);
          await close();
        });
      }
    }

    for (const scheme of SCHEMES) {
      test(`can be read by all users, ${scheme}`, async () => {
        const { page, trouble, close } = await open(file, { width: 1000, scheme });
        // What is folded away has to be readable too.
        await page.evaluate(() => document.querySelectorAll('details').forEach((details) => (details.open = true)));
        await page.evaluate(axe.source);
        const { violations } = await page.evaluate(() => window.axe.run());
        const found = violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes[0].html.slice(0, 200)}`);
        assert.deepEqual(found, []);
        assert.deepEqual(trouble, []);
        await close();
      });
    }

    test('has the numbers behind every chart', async () => {
      const { page, close } = await open(file, { width: 800, scheme: 'light' });
      for (const plot of plots.filter((plot) => !plot.startsWith('map'))) {
        assert.ok((await page.locator(`figure#${plot} details td`).count()) > 0, `${plot} has no numbers`);
      }
      if (plots.includes('map-after')) {
        assert.ok((await page.locator('section[aria-labelledby="maps"] details td').count()) > 0);
      }
      await close();
    });

    test('says what it has to say', async () => {
      const { page, close } = await open(file, { width: 800, scheme: 'light' });
      for (const heading of headings) {
        assert.equal(await page.getByRole('heading', { name: heading, exact: true }).count(), 1, heading);
      }
      const internal = headings.includes('What is promised') && !publishable;
      assert.equal(await page.getByText('Not for publication').count(), internal ? 1 : 0);
      await close();
    });

    test('prints on paper, in light colours, and stays small', async () => {
      const { page, trouble, close } = await open(file, { width: 1000, scheme: 'dark' });
      const pdf = await page.pdf({ format: 'A4' });
      assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(ground, 'rgb(255, 255, 255)');
      assert.ok(statSync(file).size < 1_000_000, 'the page is below a megabyte');
      assert.deepEqual(trouble, []);
      await close();
    });
  });
}

function drawings(page) {
  return page.evaluate(() => {
    const drawn = [...document.querySelectorAll('svg[role=img]')];
    return drawn.map((svg) => svg.getAttribute('aria-labelledby').split('-title')[0]).sort();
  });
}

/** The height of the smallest letters in a drawing as they appear on the screen. */
function smallestLetters(page) {
  return page.evaluate(() => {
    const sizes = [...document.querySelectorAll('svg[role=img] text')].map((text) => {
      const scale = text.ownerSVGElement.getScreenCTM().a;
      return parseFloat(getComputedStyle(text).fontSize) * scale;
    });
    return Math.min(Infinity, ...sizes);
  });
}

describe('drawings as files of their own', () => {
  for (const name of readdirSync(made.drawings)) {
    for (const scheme of SCHEMES) {
      test(`${name}, ${scheme}`, async () => {
        const { page, trouble, close } = await open(join(made.drawings, name), { width: 800, scheme });
        const ground = await page.evaluate(() => getComputedStyle(document.querySelector('.ground')).fill);
        assert.equal(ground === 'rgb(255, 255, 255)', scheme === 'light', `the ground is ${ground}`);
        const box = await page.evaluate(() => document.documentElement.getBoundingClientRect().toJSON());
        assert.ok(box.width >= 400 && box.height >= 200, `${box.width} x ${box.height}`);
        assert.deepEqual(trouble, []);
        await close();
      });
    }
  }
});
