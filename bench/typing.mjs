/** type_text as a whole tool call, which reads the field back, beside xdotool. */
import { setTimeout as pause } from 'node:timers/promises';
import { KITS, openFields } from './fields.mjs';
import { desktopHost, toEnd } from './processes.mjs';
import { ROUNDS, inRounds, line, timed } from './rounds.mjs';
import { ownTime, reactionsOf } from './scene.mjs';

const THOUSAND = 'The quick brown fox jumps over 13 lazy dogs. '.repeat(23).slice(0, 1000);
const FIVE = 'quick';
/** Milliseconds between keys that are tried for xdotool. */
const DELAYS = [0, 1, 2, 4, 8, 12, 24, 48];
const TRIALS = 5;
/** What was painted and told of emptying a field is over by then. */
const REST_MS = 400;
const ARRIVE_MS = 3000;
const POLL_MS = 2;
/** In a page, where one takes five seconds. */
const SLOW_ROUNDS = 10;

/** Text with Enter at its end goes into a line by keys; a page takes all its text by keys. */
const BY_KEYS = { name: 'by keys', method: 'keys', field: 'line', end: '\n' };
const BY_ACCESSIBILITY = { name: 'by accessibility', method: 'accessibility', field: 'area', end: '' };

export const fiveInserted = (bench) => typeFive(bench, 'gtk3', BY_ACCESSIBILITY);
export const fiveKeys = (bench) => typeFive(bench, 'gtk3', BY_KEYS);
export const fiveKeysInPage = (bench) => typeFive(bench, 'chromium', BY_KEYS);
export const insertInGtk3 = (bench) => insertThousand(bench, 'gtk3');
export const insertInGtk4 = (bench) => insertThousand(bench, 'gtk4');
export const insertInQt = (bench) => insertThousand(bench, 'qt');
export const keysInGtk3 = (bench) => pressThousand(bench, 'gtk3');
export const keysInGtk4 = (bench) => pressThousand(bench, 'gtk4');
export const keysInQt = (bench) => pressThousand(bench, 'qt');
export const keysInPage = (bench) => pressThousand(bench, 'chromium', SLOW_ROUNDS);

async function typeFive(bench, kit, way) {
  const { app, env, own, emptied, typed } = await openTyping(bench, kit, way);
  const react = await reactionsOf({ child: app }, env, own);
  const quietly = (work) => async () => (await emptied(), await react('quiet'), timed(work));
  const act = way === BY_KEYS ? 'key q' : `insert ${FIVE}`;
  const taken = await inRounds(
    { ours: quietly(() => typed(FIVE)), reaction: quietly(() => react(act)) },
    { xdotool: quietly(() => toEnd('xdotool', ['type', FIVE], { env })) },
  );
  const what = `${KITS[kit]}: type_text, 5 characters ${way.name}`;
  const row = (end, ours) =>
    line({ what: `${what}, ${end}`, beside: 'xdotool type', taken, ours, peer: (ms) => ms.xdotool });
  return [row('read back', (ms) => ms.ours), row('its own time', (ms) => ownTime(ms.ours, ms.reaction))];
}

async function insertThousand(bench, kit) {
  const { env, emptied, typed } = await openTyping(bench, kit, BY_ACCESSIBILITY);
  const whenEmpty = (work) => async () => (await emptied(), timed(work));
  const xdotool = whenEmpty(() => toEnd('xdotool', ['type', '--delay', '0', THOUSAND], { env }));
  const taken = await inRounds({ ours: whenEmpty(() => typed(THOUSAND)) }, { xdotool }, { rounds: ROUNDS });
  const what = `${KITS[kit]}: type_text, 1,000 characters ${BY_ACCESSIBILITY.name}, read back`;
  const sides = { ours: (ms) => ms.ours, peer: (ms) => ms.xdotool };
  return [line({ what, beside: 'xdotool type --delay 0, which does not look at what arrived', taken, ...sides })];
}

/** xdotool at the shortest delay with which it loses nothing, neither in trials before nor in the rounds. */
async function pressThousand(bench, kit, rounds = ROUNDS) {
  const { emptied, typed, xdotool } = await openTyping(bench, kit, BY_KEYS);
  const whenEmpty = (work) => async () => (await emptied(), timed(work));
  for (const delay of DELAYS) {
    const peer = whenEmpty(() => xdotool(THOUSAND, delay));
    try {
      for (let trial = 0; trial < TRIALS; trial += 1) await peer();
      const taken = await inRounds({ ours: whenEmpty(() => typed(THOUSAND)) }, { peer }, { rounds });
      const what = `${KITS[kit]}: type_text, 1,000 characters ${BY_KEYS.name}, read back`;
      const beside = `xdotool type --delay ${delay}, until the field holds all`;
      return [line({ what, beside, taken, ours: (ms) => ms.ours, peer: (ms) => ms.peer })];
    } catch (thrown) {
      if (!(thrown instanceof Lost)) throw thrown;
    }
  }
  throw new Error('xdotool loses characters with every delay');
}

/** What xdotool typed did not arrive. */
class Lost extends Error {}

/** One application with an empty field in it. `typed` and `xdotool` type there, and throw unless it then holds all. */
async function openTyping(bench, kit, way) {
  const host = await desktopHost(bench);
  const { call, env } = host;
  const { own, folder } = bench;
  const app = await openFields(kit, { ...host, own, folder });
  const [field, end] = kit === 'chromium' ? ['area', ''] : [way.field, way.end];
  return {
    env,
    own,
    app,
    /** Keys of the round before may still be on their way. */
    async emptied() {
      do {
        await app.empty(field);
        await pause(REST_MS);
      } while ((await app.held(field)) !== '');
    },
    async typed(text) {
      const { method, effect } = await call('type_text', { text: `${text}${end}`, application: app.parent });
      const held = await app.held(field);
      if (method !== way.method || effect !== 'confirmed' || held !== text)
        throw new Error(`typed by ${method}, ${effect}: ${held}`);
    },
    async xdotool(text, delay) {
      await toEnd('xdotool', ['type', '--delay', String(delay), text], { env });
      const deadline = performance.now() + ARRIVE_MS;
      while ((await app.held(field)) !== text) {
        if (performance.now() > deadline) throw new Lost();
        await pause(POLL_MS);
      }
    },
  };
}
