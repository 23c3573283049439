import { typing } from '../support/titles.js';
import { expect, test } from 'vitest';
import { parseChord, leavesWindow, pressesEnter } from '../../src/main/desktop/key-names.js';
import { guardedActor } from '../../src/main/pipeline/run-context.js';
import type { Plan } from '../../src/main/approvals/plan.js';
import { openSimulated } from '../../src/native/simulated/index.js';
import { ALLOWED, createTestPipeline, failure } from '../support/pipeline.js';

const createPipeline = () => createTestPipeline(async () => ALLOWED);

const touched = ({ world }: ReturnType<typeof createPipeline>) =>
  world.journal().filter(({ event }) => event === 'pressed' || event === 'changed');

test.each([
  ['click_element', 'send', {}],
  ['write_element_value', 'subject', { value: 'Hello' }],
])('%s never acts on a twin that took the place of what was approved at the last moment', async (tool, name, more) => {
  const given = createPipeline();
  const element_id = await given.refer(name);
  const signal = new AbortController().signal;
  const old = await given.desktop.element(given.world.find(name) ?? '', signal);
  const [parent] = await given.desktop.ancestors(old.id, signal);
  const window = (await given.desktop.windows(signal)).find((one) => one.title === 'New Message');
  const swap = () => {
    given.world.removeElement(old.id);
    given.world.addElement(parent?.role === 'AXWindow' ? (window?.id ?? '') : (parent?.id ?? ''), {
      role: tool === 'click_element' ? 'AXButton' : 'AXTextField',
      title: old.title,
      identifier: old.identifier,
      frame: { x: 10, y: 10, width: 100, height: 30 },
    });
  };
  const error = await failure(
    given.run(tool, { element_id, ...more }, { onProgress: (state) => state === 'running' && swap() }),
  );
  expect(error.code).toBe('DESKTOP_ELEMENT_NOT_FOUND');
  expect(touched(given)).toEqual([]);
});

test('a click where the pointer was knocked away is no click', async () => {
  const given = createPipeline();
  const signal = new AbortController().signal;
  const frame = (await given.desktop.element(given.world.find('send') ?? '', signal)).frame;
  if (frame === null) throw new Error('Send has no place');
  const at = { x: Math.round(frame.x + frame.width / 2), y: Math.round(frame.y + frame.height / 2) };
  let events = 0;
  given.deps.noteInjection = () => {
    events += 1;
    if (events === 2) given.world.person.move({ x: at.x - 12, y: at.y - 3 });
  };
  const error = await failure(given.run('click', at));
  expect(error).toMatchObject({ code: 'DESKTOP_TARGET_CHANGED', details: { reason: 'pointer' } });
  expect(touched(given)).toEqual([]);
});

test('what was approved in no window gets no synthetic input: it could reach any', async () => {
  const real = openSimulated();
  const signal = new AbortController().signal;
  const plan: Plan = {
    subject: { title: typing(1), target: null, app: null, place: null },
    target: { kind: 'focus', element: null },
    window: null,
    ancestors: [],
    text: 'x',
    notes: [],
    look: null,
    needsFocus: false,
    alwaysAsk: false,
    pixels: null,
  };
  const desktop = guardedActor({ ...real, isAllHidden: async () => false, maySpendTimeOn: () => true }, real, {
    real,
    plan,
    protection: {
      isProtected: () => false,
      hintFor: () => null,
      hidesDocument: () => false,
      isPairingLinkOpen: () => false,
    },
    revoked: () => false,
    noteInjection: () => undefined,
    dragging: () => false,
    waitWhilePressing: async () => undefined,
    signal,
  });
  for (const input of [
    desktop.typeText('x', signal),
    desktop.key('a', true, signal),
    desktop.button('left', true, signal),
    desktop.scroll({ x: 0, y: 1 }, signal),
  ])
    expect((await failure(input)).details['reason']).toBe('no_window');
  expect(real.world.journal().filter(({ event }) => event !== 'focused')).toEqual([]);
  await real.close();
});

test('chords that are the window manager’s are asked for, also under a grant [req:DS-6-15]', () => {
  const leaves = (platform: 'linux' | 'macos', ...keys: string[]) => leavesWindow(parseChord(keys), platform);
  for (const chord of [
    ['super', 'd'],
    ['super', 'l'],
    ['super', '1'],
    ['alt', 'f1'],
    ['alt', 'f3'],
    ['ctrl', 'escape'],
    ['printscreen'],
  ])
    expect(leaves('linux', ...chord), chord.join('+')).toBe(true);
  for (const chord of [
    ['ctrl', 's'],
    ['shift', 'tab'],
    ['alt', 'e'],
    ['ctrl', 'left'],
  ])
    expect(leaves('linux', ...chord), chord.join('+')).toBe(false);
  expect(leaves('macos', 'cmd', 's')).toBe(false);
  expect(leaves('macos', 'cmd', 'space')).toBe(true);
  expect(leaves('macos', 'ctrl', 'left')).toBe(true);
});

test('a phrase that the policy accepts stands in the record as what allowed the call', async () => {
  const given = createPipeline();
  const phrase = { ...ALLOWED, by: 'phrase' as const };
  const element_id = await given.refer('copy');
  await given.run('click_element', { element_id }, { gate: () => ({ approved: null, phrase }) });
  expect(given.records[0]?.end?.decision).toEqual(phrase);
});

test('Enter, alone or in a chord, is asked for even under a grant', () => {
  expect([['enter'], ['ctrl', 'return'], ['kpenter']].map((keys) => pressesEnter(parseChord(keys)))).toEqual([
    true,
    true,
    true,
  ]);
  expect([['tab'], ['ctrl', 's'], ['e']].map((keys) => pressesEnter(parseChord(keys)))).toEqual([false, false, false]);
});
