/** Frames while a person scrolls through what is long, beside a static page of about the same height scrolled the same way, in turns. */
import { chromium } from 'playwright-core';
import { mainThreadFrames } from './main-thread.mjs';
import { MESSAGES, ROWS, serveLongPage } from './page-stand-in.mjs';

const BROWSER = process.env.CHROMIUM ?? '/usr/bin/chromium';
const VIEWPORT = { width: 880, height: 900 };
/** At 60 Hz a frame was missed. */
const LATE_MS = 33;
/** Frames on one page before it is the other’s turn, and how often each has its turn. */
const TURN = 200;
const TURNS = 8;
/** And with a trace, which takes time itself. */
const TRACED_TURNS = 4;
/** Pixels a frame: 3,600 a second, a brisk flick of the wheel. */
const STEP = 60;

const WAYS = [
  {
    what: `scrolling a list of ${ROWS.toLocaleString('en')} actions`,
    async open(page) {
      await page.evaluate(() => void (location.hash = '#/activity'));
      await page.waitForSelector('.book .row');
      await page.evaluate(loadAll);
    },
    staticHeight: ROWS * 61,
  },
  {
    what: `going back in a conversation of ${MESSAGES.toLocaleString('en')} messages`,
    open: (page) => page.waitForSelector('.chat [data-anchor]'),
    staticHeight: MESSAGES * 89,
  },
];

/** `built`: where the page was built, if not in its place. */
export async function scrolling({ own, built }) {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath: BROWSER, args });
  own(() => browser.close());
  const link = await serveLongPage(own, built);
  const rows = [];
  for (const way of WAYS) {
    const { ours, still } = await measured(browser, link, way);
    const beside = 'a static page as high, scrolled the same way';
    rows.push(
      { what: `${way.what}: frames over ${LATE_MS} ms`, unit: '%', ours: ours.late, peer: still.late, beside },
      { what: `${way.what}: p95 of a frame`, unit: 'ms', ours: ours.p95, peer: still.p95, beside },
      { what: `${way.what}: main-thread time per frame, p99`, unit: 'ms', ours: ours.p99, peer: still.p99, beside },
      { what: `${way.what}: main-thread time per frame, max`, unit: 'ms', ours: ours.max, peer: still.max, beside },
    );
  }
  return rows;
}

/** In one browser, upwards from the end. */
async function measured(browser, link, { open, staticHeight }) {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const [page, still] = [await context.newPage(), await context.newPage()];
  await still.setContent(staticPage(staticHeight));
  await page.goto(link);
  await page.waitForSelector('#views');
  await open(page);
  const taken = { ours: [], still: [] };
  const worked = { ours: [], still: [] };
  for (const one of [page, still]) await one.evaluate(toEnd);
  for (let turn = 0; turn < TURNS; turn += 1) {
    taken.ours.push(...(await inFront(page)));
    taken.still.push(...(await inFront(still)));
  }
  for (let turn = 0; turn < TRACED_TURNS; turn += 1) {
    worked.ours.push(...(await mainThreadFrames(browser, page, () => inFront(page))));
    worked.still.push(...(await mainThreadFrames(browser, still, () => inFront(still))));
  }
  await context.close();
  return { ours: figures(taken.ours, worked.ours), still: figures(taken.still, worked.still) };
}

async function inFront(page) {
  await page.bringToFront();
  return page.evaluate(scrollOn, { step: -STEP, most: TURN });
}

/** Lines of text, and nothing else. */
function staticPage(height) {
  const lines = Array.from({ length: Math.round(height / 60) }, (_, index) => `<p>Line ${index + 1}</p>`);
  return `<!doctype html><meta charset="utf-8"><style>p { height: 60px; margin: 0 }</style>${lines.join('')}`;
}

/** In the browser. */
function toEnd() {
  window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' });
}

/** In the browser: a list is loaded as it is scrolled. */
async function loadAll() {
  while (document.querySelector('.list-end')?.textContent !== 'Nothing older.') {
    window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' });
    await new Promise(requestAnimationFrame);
  }
}

/** In the browser: a step in each frame; how long each frame took. */
function scrollOn({ step, most }) {
  return new Promise((resolve) => {
    const frames = [];
    let last = null;
    const frame = (now) => {
      if (last !== null) frames.push(now - last);
      last = now;
      if (frames.length === most) return resolve(frames);
      window.scrollBy({ top: step, behavior: 'instant' });
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(() => requestAnimationFrame(frame));
  });
}

function figures(taken, worked) {
  return {
    late: (100 * taken.filter((ms) => ms > LATE_MS).length) / taken.length,
    p95: quantile(taken, 0.95),
    p99: quantile(worked, 0.99),
    max: quantile(worked, 1),
  };
}

function quantile(values, part) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(part * (sorted.length - 1))];
}
