/** What a long conversation costs its page, when it is opened and on the way back: beside a short one. */
import { serveLongPage } from './page-stand-in.mjs';
import { openBrowser } from './page.mjs';
import { inRounds, line } from './rounds.mjs';

const MESSAGES = 100_000;
const SHORT_MESSAGES = 1_000;
const ROUNDS = 5;
/** How far back the page goes, in parts: first and last are compared. */
const BACK = 20_000;
const PARTS = 10;

const count = (number) => number.toLocaleString('en-GB');

export async function longConversation({ own }) {
  const browser = await openBrowser(own);
  const links = {
    long: await serveLongPage(own, undefined, MESSAGES),
    short: await serveLongPage(own, undefined, SHORT_MESSAGES),
  };
  const megabytes = { long: [], short: [] };
  const open = (name) => async () => {
    const found = await lookAt(browser, links[name]);
    megabytes[name].push(found.megabytes);
    return found.shownMs;
  };
  const taken = await inRounds({ long: open('long') }, { short: open('short') }, { rounds: ROUNDS });
  const what = `the page of a conversation of ${count(MESSAGES)} messages`;
  const beside = `of ${count(SHORT_MESSAGES)} messages`;
  const back = await goBack(browser, links.long);
  return [
    line({ what: `${what}: until messages are shown`, beside, taken, ours: (ms) => ms.long, peer: (ms) => ms.short }),
    { what: `${what}: its memory`, unit: 'MB', beside, ...byRound(megabytes) },
    {
      what: `${what}: going back through ${count(BACK / PARTS)}, after ${count(BACK - BACK / PARTS)}`,
      unit: 'ms',
      beside: 'through the newest',
      ...{ ours: [back.at(-1)], peer: [back[0]], again: [back[0]] },
    },
  ];
}

/** Of a round: the peer’s first turn, ours and the peer’s second; the first round warms up. */
function byRound({ long, short }) {
  const turn = (which) => long.slice(1).map((_, round) => short[2 + 2 * round + which]);
  return { ours: long.slice(1), peer: turn(0), again: turn(1) };
}

async function lookAt(browser, link) {
  const { page, shownMs } = await openChat(browser, link);
  try {
    const session = await page.context().newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    return { shownMs, megabytes: usedSize / 2 ** 20 };
  } finally {
    await page.context().close();
  }
}

async function openChat(browser, link) {
  const page = await (await browser.newContext({ viewport: { width: 880, height: 900 } })).newPage();
  const start = performance.now();
  await page.goto(link);
  await page.waitForSelector('.chat [data-anchor]');
  return { page, shownMs: performance.now() - start };
}

/** Milliseconds of each part of the way back. */
async function goBack(browser, link) {
  const { page } = await openChat(browser, link);
  try {
    return await page.evaluate(upwards, { parts: PARTS, newest: MESSAGES, step: BACK / PARTS });
  } finally {
    await page.context().close();
  }
}

/** In the browser: to the top again and again, as a person who holds Home. */
async function upwards({ parts, newest, step }) {
  const oldest = () => Number(/Message (\d+)/.exec(document.querySelector('.chat [data-anchor]').textContent)[1]);
  const times = [];
  let start = performance.now();
  window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' });
  // Otherwise nothing has scrolled up.
  for (let frames = 2; frames > 0; frames -= 1) await new Promise(requestAnimationFrame);
  while (times.length < parts) {
    window.scrollTo({ top: 0, behavior: 'instant' });
    await new Promise(requestAnimationFrame);
    if (oldest() > newest - step * (times.length + 1)) continue;
    times.push(performance.now() - start);
    start = performance.now();
  }
  return times;
}
