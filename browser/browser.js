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
 * Nothing is expected within a time: a test waits for what is to happen. This only ends a test whose event never comes, after ten
 * minutes; to write a test, set $PATIENCE to some seconds.
 */
export const PATIENCE = 1000 * Number(process.env.PATIENCE ?? 600);

/** What is waited for, or an error that names it when it does not come in time. */
export async function within(what, event, patience = PATIENCE) {
  let alarm;
  const late = new Promise((_, bad) => {
    alarm = setTimeout(() => bad(new Error(`waited ${patience / 1000} s in vain for ${what}`)), patience);
  });
  try {
    return await Promise.race([event, late]);
  } finally {
    clearTimeout(alarm);
  }
}

export function launch(more = []) {
  // As root the sandbox cannot be set up; the pages are our own.
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: find(), args: [...FLAGS, ...root, ...more], timeout: PATIENCE });
}
