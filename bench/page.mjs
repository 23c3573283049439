/** When a person sees something, beside the least that a browser can show. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { inTurns } from './measure.mjs';
import { environment, startHost } from './processes.mjs';

const BROWSER = process.env.CHROMIUM ?? '/usr/bin/chromium';
const LEAST = '<!doctype html><meta charset="utf-8"><title>Least</title><h1>Chaperone</h1>';

export async function page({ folder, own }) {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath: BROWSER, args });
  own(() => browser.close());
  const least = await serve(own);
  let round = 0;
  const ms = await inTurns(7, {
    async ours() {
      const host = await startHost(environment(join(folder, `page-${(round += 1)}`)), ['--backend', 'simulated']);
      try {
        return await firstPaint(browser, host.url);
      } finally {
        await host.stop();
      }
    },
    least: () => firstPaint(browser, least),
  });
  return [
    { what: 'the page of a cold host: first paint', unit: 'ms', ours: ms.ours, peer: ms.least, beside: '`painted`' },
  ];
}

async function firstPaint(browser, url) {
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
