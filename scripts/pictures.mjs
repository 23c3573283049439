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
import { openPopover, startAppHost } from './pictures/host.mjs';
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
  mkdirSync(DOCS, { recursive: true });
  const browser = await openBrowser(own);
  await inBrowser(await startHost(join(folder, 'browser'), own), browser, own);
  await inPopover(await startAppHost(join(folder, 'app'), own), browser, own);
}

async function inBrowser(host, browser, own) {
  const context = await browser.newContext({ viewport: { width: 880, height: 400 }, deviceScaleFactor: 2 });
  const page = await context.newPage();
  await page.goto(host.pairingLink);
  await page.locator('#views').waitFor(PATIENCE);
  const request = await comeToTheClick(page, host, host.desktopEnv, own);
  await page.reload();
  await page.locator('article', { has: request }).locator(LIVE_ALLOW).waitFor(PATIENCE);
  await inBothThemes(page, 'approval', { fullPage: true });

  await allow(page, /^Click/);
  await page.setViewportSize({ width: 1200, height: 1080 });
  // Rows move while what is above them ends, so nothing is pressed here.
  const address = await page.getByRole('link', { name: /Clicked/ }).getAttribute('href', PATIENCE);
  await page.evaluate((hash) => (location.hash = hash), address);
  await page.locator('.ev img').nth(1).waitFor(PATIENCE);
  await inBothThemes(page, 'evidence', {});
}

async function inPopover({ host, ...agentSide }, browser, own) {
  const context = await browser.newContext({ viewport: { width: 400, height: 600 }, deviceScaleFactor: 2 });
  const page = await openPopover(context, host);
  const request = await comeToTheClick(page, agentSide, host.desktopEnv, own);
  await page.reload();
  await page.locator('article', { has: request }).locator(LIVE_ALLOW).waitFor(PATIENCE);
  await inBothThemes(page, 'popover', {});
}

/** An agent asks, looks and types as it was allowed to; then it wants to press “=”. */
async function comeToTheClick(page, { entry, env, workspace }, desktopEnv, own) {
  const calculator = start('galculator', [], { env: { PATH: process.env.PATH, ...desktopEnv } }, own);
  start(process.execPath, [AGENT, entry, String(calculator.pid)], { env, cwd: workspace }, own);
  await page.getByRole('button', { name: 'Yes, please', exact: true }).click(PATIENCE);
  await allow(page, /^Read/);
  await allow(page, /^Type/);
  const request = page.getByRole('heading', { name: /^Click/ });
  await request.waitFor(PATIENCE);
  return request;
}

function start(program, args, options, own) {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'] });
  const ended = new Promise((resolve) => child.on('close', resolve).on('error', resolve));
  own(() => (child.kill('SIGKILL'), ended));
  return child;
}

async function openBrowser(own) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  own(() => browser.close());
  return browser;
}

async function inBothThemes(page, name, options) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await take(page, join(DOCS, `${name}-${colorScheme}.png`), options);
  }
}

/** A fresh card's buttons are dead for a moment. */
async function allow(page, heading) {
  const card = page.locator('article', { has: page.getByRole('heading', { name: heading }) });
  await card.locator(LIVE_ALLOW).click(PATIENCE);
}

/** Colours of a page are few: a palette makes the file a third as large and looks the same. */
async function take(page, path, options) {
  const picture = await page.screenshot(options);
  await sharp(picture).png({ palette: true, quality: 90, effort: 10 }).toFile(path);
  console.log(path);
}
