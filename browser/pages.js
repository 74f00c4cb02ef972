// The pages to look at, made with the program itself, and what has to be on each.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const built = process.env.CARGO_TARGET_DIR ?? fileURLToPath(new URL('../target', import.meta.url));
const program = process.env.THRONG ?? join(built, 'debug', 'throng');

const RISK = ['risk-alone', 'risk-few'];
const MAPS = ['map-before', 'map-after'];

const REPORT = ['What is promised', 'What an attacker could do', 'What it cost', 'What is not promised'];
const COMPARISON = ['Plots', 'Runtime', 'Cells without a release', 'All numbers', 'Recipe'];

// One cell of it cannot have a release: its method wants times.
const SWEEP = `schema = "throng-compare/1"
title = "Distance against k, <with> a name"
data = { world = "city", subjects = 600 }
vary = { k = [2, 5, 10] }

[[methods]]
name = "seqanon"
m = 1

[[methods]]
name = "lkc"
L = 1
K = 2
`;

/** Makes every page in a folder of its own; `pages` says which drawings belong on each. */
export function make() {
  if (!existsSync(program)) {
    throw new Error(`${program} is not there: run \`cargo build\` first, or set THRONG to the program`);
  }
  const home = mkdtempSync(join(tmpdir(), 'throng-browser-'));
  // The tests leave no trace in the ledger of the user who runs them.
  const env = { ...process.env, THRONG_LEDGER: join(home, 'ledger.jsonl') };
  const throng = (line) => execFileSync(program, [...line.split(' '), '--quiet'], { cwd: home, env, stdio: 'pipe' });
  const generate = (world, people) => throng(`generate ${world} -o ${world} --subjects ${people}`);
  generate('city', 4000);
  generate('checkins', 4000);
  generate('metro', 3000);
  generate('clicks', 3000);
  throng(
    'anonymize city/events.csv --places city/places.csv --method seqanon -k 5 -m 2 -o city-release ' +
      '--linkage links.csv --internal-report city-internal.html',
  );
  throng(
    'anonymize checkins/events.csv --places checkins/places.csv --method seqanon -k 10 -m 1 -o checkins-release ' +
      '--internal-report checkins-internal.html',
  );
  throng('anonymize metro/events.csv --method lkc --L 2 --K 5 -o metro-release');
  throng('anonymize clicks/events.csv --method ngrams --epsilon 5 --alphabet clicks/alphabet.csv -o clicks-release');
  throng(
    'report city-release --internal --original city/events.csv --places city/places.csv --linkage links.csv ' +
      '-o city-again.html',
  );
  writeFileSync(join(home, 'sweep.toml'), SWEEP);
  throng('compare sweep.toml -o sweep');
  const swept = readdirSync(join(home, 'sweep', 'plots')).map((file) => file.replace('.svg', ''));
  const release = (name) => join(home, `${name}-release`, 'report.html');
  const pages = [
    { name: 'city', file: release('city'), plots: [...RISK, ...MAPS, 'sizes'], publishable: true },
    { name: 'city, internal', file: join(home, 'city-internal.html'), plots: [...RISK, ...MAPS, 'sizes', 'lengths'] },
    { name: 'city, internal again', file: join(home, 'city-again.html'), plots: [...RISK, ...MAPS, 'sizes', 'lengths'] },
    { name: 'check-ins', file: release('checkins'), plots: [...RISK, ...MAPS, 'sizes'], publishable: true },
    { name: 'check-ins, internal', file: join(home, 'checkins-internal.html'), plots: [...RISK, ...MAPS, 'sizes', 'lengths'] },
    { name: 'metro', file: release('metro'), plots: RISK, publishable: true },
    { name: 'clicks, synthetic', file: release('clicks'), plots: [], publishable: true },
  ];
  pages.forEach((page) => (page.headings = REPORT));
  pages.push({ name: 'comparison', file: join(home, 'sweep', 'index.html'), plots: swept, headings: COMPARISON });
  return { pages, drawings: join(home, 'sweep', 'plots'), clean: () => rmSync(home, { recursive: true }) };
}
