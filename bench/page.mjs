/** When a person sees something, beside the least that a browser can show. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { environment, startHost } from './processes.mjs';
import { inRounds, line } from './rounds.mjs';

const BROWSER = process.env.CHROMIUM ?? '/usr/bin/chromium';
const LEAST = '<!doctype html><meta charset="utf-8"><title>Least</title><h1>Chaperone</h1>';

export async function page({ folder, own }) {
  const browser = await openBrowser(own);
  const least = await serve(own);
  let hosts = 0;
  const ours = async () => {
    const host = await startHost(environment(join(folder, `page-${(hosts += 1)}`)), ['--backend', 'simulated']);
    try {
      return await firstPaint(browser, host.url);
    } finally {
      await host.stop();
    }
  };
  const taken = await inRounds({ ours }, { least: () => firstPaint(browser, least) });
  const sides = { ours: (ms) => ms.ours, peer: (ms) => ms.least };
  return [line({ what: 'the page of a cold host: first paint', beside: '`painted`', taken, ...sides })];
}

export async function openBrowser(own) {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath: BROWSER, args });
  own(() => browser.close());
  return browser;
}

export async function firstPaint(browser, url) {
  const context = await browser.newContext();
  try {
    const shown = await context.newPage();
    await shown.goto(url);
    const painted = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
    return await (await shown.waitForFunction(painted)).jsonValue();
  } finally {
    await context.close();
  }
}

async function serve(own) {
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(LEAST));
  own(() => new Promise((resolve) => server.close(resolve)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${server.address().port}/`;
}
