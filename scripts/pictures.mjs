/** `node scripts/pictures.mjs`: makes the README's pictures from the running product: a real host, a real calculator on a virtual desktop, a real agent, the page in Chromium. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import sharp from 'sharp';
import { startHost } from './demo/host.mjs';
import { main, root } from './lib/run.mjs';
import { openPopover, startAppHost } from './pictures/host.mjs';
import { setup } from './setup.mjs';

const DOCS = join(root, 'docs');
const AGENT = fileURLToPath(new URL('./pictures/sums-agent.mjs', import.meta.url));
const LIVE_ALLOW = '[data-part="allow"]:not([aria-disabled="true"])';
const WAIT = { timeout: 60_000 };

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
  await captureBrowser(await startHost(join(folder, 'browser'), own), browser, own);
  await capturePopover(await startAppHost(join(folder, 'app'), own), browser, own);
}

async function captureBrowser(host, browser, own) {
  const context = await browser.newContext({ viewport: { width: 880, height: 400 }, deviceScaleFactor: 2 });
  const page = await context.newPage();
  await page.goto(host.pairingLink);
  await page.locator('#views').waitFor(WAIT);
  const request = await runUntilClickRequest(page, host, host.desktopEnv, own);
  await page.reload();
  await page.locator('article', { has: request }).locator(LIVE_ALLOW).waitFor(WAIT);
  await captureBothThemes(page, 'approval', { fullPage: true });

  await allow(page, /^Click/);
  await page.setViewportSize({ width: 1200, height: 1080 });
  // Rows move while others end, so the link is followed by its address.
  const address = await page.getByRole('link', { name: /Clicked/ }).getAttribute('href', WAIT);
  await page.evaluate((hash) => (location.hash = hash), address);
  await page.locator('.evidence img').nth(1).waitFor(WAIT);
  await captureBothThemes(page, 'evidence', {});
}

async function capturePopover({ host, ...agentSide }, browser, own) {
  const context = await browser.newContext({ viewport: { width: 400, height: 600 }, deviceScaleFactor: 2 });
  const page = await openPopover(context, host);
  const request = await runUntilClickRequest(page, agentSide, host.desktopEnv, own);
  await page.reload();
  await page.locator('article', { has: request }).locator(LIVE_ALLOW).waitFor(WAIT);
  await captureBothThemes(page, 'popover', {});
}

/** Runs the agent up to its request to press “=”, allowing what comes before. Returns that request's heading. */
async function runUntilClickRequest(page, { entry, env, workspace }, desktopEnv, own) {
  const calculator = start('galculator', [], { env: { PATH: process.env.PATH, ...desktopEnv } }, own);
  start(process.execPath, [AGENT, entry, String(calculator.pid)], { env, cwd: workspace }, own);
  await page.getByRole('button', { name: 'Yes, please', exact: true }).click(WAIT);
  await allow(page, /^Read/);
  await allow(page, /^Type/);
  const request = page.getByRole('heading', { name: /^Click/ });
  await request.waitFor(WAIT);
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

async function captureBothThemes(page, name, options) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await capture(page, join(DOCS, `${name}-${colorScheme}.png`), options);
  }
}

/** Waits until the card's buttons are enabled. */
async function allow(page, heading) {
  const card = page.locator('article', { has: page.getByRole('heading', { name: heading }) });
  await card.locator(LIVE_ALLOW).click(WAIT);
}

/** A page has few colours: with a palette the file is a third as large and looks the same. */
async function capture(page, path, options) {
  const picture = await page.screenshot(options);
  await sharp(picture).png({ palette: true, quality: 90, effort: 10 }).toFile(path);
  console.log(path);
}
