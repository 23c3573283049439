/** Acts that show nothing, or show it only later, in an application of each toolkit, beside xdotool, which looks at nothing. */
import { setTimeout as pause } from 'node:timers/promises';
import { KITS, openFields } from './fields.mjs';
import { desktopHost, toEnd } from './processes.mjs';
import { ROUNDS, inRounds, line, timed } from './rounds.mjs';

/** Milliseconds after a click until the application shows something. */
const LATER = [100, 300, 600];
/** What was painted of emptying a field is over by then. */
const REST_MS = 400;
const POLL_MS = 20;

export const silentInGtk3 = (bench) => silent(bench, 'gtk3');
export const silentInGtk4 = (bench) => silent(bench, 'gtk4');
export const silentInQt = (bench) => silent(bench, 'qt');
export const silentInPage = (bench) => silent(bench, 'chromium');

async function silent(bench, kit) {
  const { call, env, app, ground } = await openGround(bench, kit);
  const shows = async (work) => {
    const { effect } = await work;
    if (effect !== 'unverified') throw new Error(`nothing shows, and it was told ${effect}`);
  };
  const atRest = (work) => async () => (await app.empty('line'), await pause(REST_MS), timed(work));
  const moves = async (work) => {
    const { effect } = await work;
    if (effect !== 'confirmed') throw new Error(`the caret moved, and it was told ${effect}`);
  };
  const inText = (work) => async () => {
    await app.empty('line');
    await call('type_text', { text: 'text', application: app.parent });
    await pause(REST_MS);
    return timed(work);
  };
  const { x, y } = ground;
  const xdotool = (...args) => toEnd('xdotool', args, { env });
  const xclick = () => xdotool('mousemove', `${x}`, `${y}`, 'click', '1');
  /** The first click of a place may give it the focus. */
  const clicked = (work) => async () => (await xclick(), await pause(REST_MS), timed(work));
  const taken = await inRounds(
    {
      click: clicked(() => shows(call('click', ground))),
      wheel: atRest(() => shows(call('scroll', { ...ground, delta_y: 3 }))),
      left: atRest(() => shows(call('press_key', { key: 'left', application: app.parent }))),
      caret: inText(() => moves(call('press_key', { key: 'left', application: app.parent }))),
    },
    {
      xclick,
      xwheel: () => xdotool('mousemove', `${x}`, `${y}`, 'click', '--repeat', '3', '--delay', '0', '5'),
      xleft: () => xdotool('key', 'Left'),
      xcaret: () => xdotool('key', 'Left'),
    },
  );
  const later = await lateEffects({ call, app, ground });
  const row = (what, act) =>
    line({
      what: `${KITS[kit]}: ${what}`,
      beside: 'xdotool',
      taken,
      ours: (ms) => ms[act],
      peer: (ms) => ms[`x${act}`],
    });
  return [
    row('click on plain ground', 'click'),
    row('wheel, 3 steps, where nothing scrolls', 'wheel'),
    row('Left in an empty field', 'left'),
    row('Left in a text, which moves the caret', 'caret'),
    ...later.map(({ ms, told, beside }) =>
      line({
        what: `${KITS[kit]}: a click whose effect comes after ${ms} ms, until the answer`,
        beside: 'the time until that effect',
        taken: { told, beside, again: { beside } },
        ours: (all) => all.told,
        peer: (all) => all.beside,
      }),
    ),
  ];
}

/** No answer may be that nothing changed. */
export async function lateEffects({ call, app, ground }, rounds = ROUNDS) {
  const all = LATER.map((ms) => ({ ms, told: [], beside: [] }));
  let shown = 0;
  for (let round = 0; round < rounds; round += 1)
    for (const { ms, told, beside } of all) {
      await app.later(ms);
      await pause(REST_MS);
      const start = performance.now();
      const { effect } = await call('click', ground);
      told.push(performance.now() - start);
      if (effect === 'no_change') throw new Error(`told no_change, ${ms} ms before the effect`);
      shown += 1;
      while ((await app.held('line')) !== `${shown}`) await pause(POLL_MS);
      beside.push(performance.now() - start);
    }
  return all;
}

/** One application, and a point of it where nothing is. */
export async function openGround({ folder, own, stages }, kit) {
  const host = await desktopHost({ folder, own, stages });
  const app = await openFields(kit, { ...host, own, folder });
  const { windows } = await host.call('list_windows');
  const { frame } = windows.find(({ title }) => title.startsWith('Fields'));
  const ground = { x: Math.round(frame.x + frame.width - 8), y: Math.round(frame.y + frame.height - 8) };
  return { ...host, app, ground };
}
