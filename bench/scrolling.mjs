/** Frames while a person scrolls through what is long, beside static pages scrolled the same way in the same rounds. */
import { chromium } from 'playwright';
import { mainThreadFrames } from './main-thread.mjs';
import { MESSAGES, ROWS, serveLongPage } from './page-stand-in.mjs';
import { inRounds } from './rounds.mjs';
import { quantile } from './statistics.mjs';

const BROWSER = process.env.CHROMIUM ?? '/usr/bin/chromium';
const VIEWPORT = { width: 880, height: 900 };
/** At 60 Hz a frame was missed. */
const LATE_MS = 33;
/** Frames of a turn. */
const TURN = 150;
/** Pixels a frame: 3,600 a second, a brisk flick of the wheel. */
const STEP = 60;
/** Higher than what a browser keeps painted. */
const COPY_PX = 60_000;

/** `built`: where the page was built, if not in its place. */
export const scrollActivity = (bench) =>
  scrolling(bench, {
    what: `a list of ${ROWS.toLocaleString('en')} actions`,
    async open(page) {
      await page.evaluate(() => void (location.hash = '#/activity'));
      await page.waitForSelector('.log .row');
      await page.evaluate(loadAll);
    },
    list: '.log',
    staticHeight: ROWS * 61,
  });

export const scrollConversation = (bench) =>
  scrolling(bench, {
    what: `a conversation of ${MESSAGES.toLocaleString('en')} messages`,
    open: (page) => page.waitForSelector('.chat [data-anchor]'),
    list: '.chat',
    staticHeight: MESSAGES * 89,
  });

async function scrolling({ own, built }, way) {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath: BROWSER, args });
  own(() => browser.close());
  const pages = await openPages(browser, await serveLongPage(own, built), way);
  const late = await rounds(pages, async (page) => lateShare(await scroll(page)));
  const worked = await rounds(pages, async (page) => {
    const frames = await mainThreadFrames(browser, page, () => scroll(page));
    return quantile(frames, 0.99);
  });
  return [
    ...lines(late, { what: `${way.what}: frames over ${LATE_MS} ms`, unit: '%', isShare: true }),
    ...lines(worked, { what: `${way.what}: main-thread time per frame, p99`, unit: 'ms' }),
  ];
}

/** Ours, lines of text as high, and our own rows without scripts; all at their end. */
async function openPages(browser, link, { open, list, staticHeight }) {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const [ours, text, copy] = [await context.newPage(), await context.newPage(), await context.newPage()];
  await text.setContent(staticPage(staticHeight));
  // A page behind another may get no frames.
  await ours.bringToFront();
  await ours.goto(link);
  await ours.waitForSelector('#views');
  await open(ours);
  await ours.evaluate(toEnd);
  const body = await ours.evaluate(copyOf, { list, height: COPY_PX });
  const address = new URL('/copy', link).href;
  await copy.route(address, (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body }));
  await copy.goto(address);
  for (const page of [text, copy]) await page.evaluate(toEnd);
  return { ours, text, copy };
}

function rounds({ ours, text, copy }, figure) {
  return inRounds({ ours: () => figure(ours) }, { text: () => figure(text), copy: () => figure(copy) });
}

function lines(taken, line) {
  const beside = { text: 'a static page of lines of text', copy: 'a static copy of the same rows, without scripts' };
  return Object.keys(beside).map((peer) => ({
    ...line,
    beside: beside[peer],
    ours: taken.ours,
    peer: taken[peer],
    again: taken.again[peer],
  }));
}

/** Showing a page that was behind another is work of its own: it scrolls once that is done, as a person does. */
async function scroll(page) {
  await page.bringToFront();
  await page.evaluate(idle);
  return page.evaluate(scrollOn, { step: -STEP, most: TURN });
}

function lateShare(frames) {
  return (100 * frames.filter((ms) => ms > LATE_MS).length) / frames.length;
}

/** Lines of text, and nothing else. */
function staticPage(height) {
  const lines = Array.from({ length: Math.round(height / 60) }, (_, index) => `<p>Line ${index + 1}</p>`);
  return `<!doctype html><meta charset="utf-8"><style>p { height: 60px; margin: 0 }</style>${lines.join('')}`;
}

/** In the browser: the page as HTML without scripts, the rendered part of its list repeated up to a height. */
function copyOf({ list, height }) {
  const whole = document.documentElement.cloneNode(true);
  for (const script of whole.querySelectorAll('script, link[rel="modulepreload"]')) script.remove();
  const blocks = [...document.querySelectorAll('[data-block="drawn"]')].filter(
    (block) => block.querySelector('[data-block]') === null,
  );
  const drawn = blocks.reduce((sum, block) => sum + block.getBoundingClientRect().height, 0);
  const once = blocks.map((block) => block.outerHTML).join('');
  whole.querySelector(list).innerHTML = once.repeat(Math.ceil(height / drawn));
  return `<!doctype html>${whole.outerHTML}`;
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

/** In the browser: twice, since the first may come before the work that the next frame finds. */
async function idle() {
  for (let left = 2; left > 0; left -= 1) {
    await new Promise(requestAnimationFrame);
    await new Promise((resolve) => requestIdleCallback(resolve));
  }
}

/** In the browser: a step in each frame, from the end again where too little is left; how long each frame took. */
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
    if (window.scrollY + step * most < 0) window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' });
    requestAnimationFrame(() => requestAnimationFrame(frame));
  });
}
