/** `node scripts/pictures.mjs`: makes the README's pictures from the running product: a real host, a real calculator on a virtual desktop, a real agent, the page in Chromium. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { startHost } from './demo/host.mjs';
import { main, root } from './lib/run.mjs';
import { setup } from './setup.mjs';

const DOCS = join(root, 'docs');
const AGENT = fileURLToPath(new URL('./pictures/sums-agent.mjs', import.meta.url));
const LIVE_ALLOW = '[data-part="allow"]:not([aria-disabled="true"])';
const PATIENCE = { timeout: 60_000 };

await main(async () => {
  await setup({ test: true });
  const folder = mkdtempSync(join(tmpdir(), 'chaperone-pictures-'));
  const closers = [() => rmSync(folder, { recursive: true, force: true })];
  const own = (close) => void closers.unshift(close);
  try {
    await takePictures(folder, own);
  } finally {
    for (const close of closers) await close();
  }
});

async function takePictures(folder, own) {
  const host = await startHost(folder, own);
  const env = { PATH: process.env.PATH, ...host.desktopEnv };
  const calculator = start('galculator', [], { env }, own);
  const page = await openPage(host.pairingLink, own);
  start(process.execPath, [AGENT, host.entry, String(calculator.pid)], { env: host.env, cwd: host.workspace }, own);
  await page.getByRole('button', { name: 'Yes, please', exact: true }).click(PATIENCE);
  await allow(page, /^Read/);
  await allow(page, /^Type/);
  const request = page.getByRole('heading', { name: /^Click/ });
  await request.waitFor(PATIENCE);
  await page.reload();
  await page.locator('article', { has: request }).locator(LIVE_ALLOW).waitFor(PATIENCE);
  mkdirSync(DOCS, { recursive: true });
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await take(page, join(DOCS, `approval-${colorScheme}.png`));
  }
}

function start(program, args, options, own) {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'] });
  const ended = new Promise((resolve) => child.on('close', resolve).on('error', resolve));
  own(() => (child.kill('SIGKILL'), ended));
  return child;
}

async function openPage(link, own) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  own(() => browser.close());
  const context = await browser.newContext({ viewport: { width: 880, height: 400 }, deviceScaleFactor: 2 });
  const page = await context.newPage();
  await page.goto(link);
  await page.locator('#views').waitFor(PATIENCE);
  return page;
}

/** A fresh card's buttons are dead for a moment. */
async function allow(page, heading) {
  const card = page.locator('article', { has: page.getByRole('heading', { name: heading }) });
  await card.locator(LIVE_ALLOW).click(PATIENCE);
}

/** Colours of a page are few: a palette makes the file a third as large and looks the same. */
async function take(page, path) {
  const picture = await page.screenshot({ fullPage: true });
  await sharp(picture).png({ palette: true, quality: 90, effort: 10 }).toFile(path);
  console.log(path);
}
