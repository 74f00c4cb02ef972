// A headless chromium, told to reach for nothing by itself.
import { execFileSync } from 'node:child_process';
import { chromium } from 'playwright-core';

const FLAGS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
];

/** The browser named by $CHROMIUM, or the first one on the path. */
export function find() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
    try {
      return execFileSync('which', [name], { encoding: 'utf8' }).trim();
    } catch {
      // The next one may be there.
    }
  }
  throw new Error('no chromium: install it (Debian: apt-get install chromium), or set CHROMIUM to its path');
}

/**
 * Nothing is expected within a time: a test waits for what is to happen. This only ends a test whose event never comes;
 * who writes one sets $PATIENCE to some seconds.
 */
export const PATIENCE = 1000 * Number(process.env.PATIENCE ?? 3600);

export function launch(more = []) {
  // As root the sandbox cannot be set up; the pages are our own.
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: find(), args: [...FLAGS, ...root, ...more], timeout: PATIENCE });
}
