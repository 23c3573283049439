import { beforeEach, expect, test } from 'vitest';
import { createChangeComparer } from '../../../src/main/pipeline/verify/rest.js';
import { createOwnChanges, NO_OWN_CHANGES, type OwnChanges } from '../../../src/main/pipeline/verify/own-changes.js';
import { withChangeHistory } from '../../../src/main/pipeline/verify/change-history.js';
import { openSimulated } from '../../../src/native/simulated/index.js';

const PID = 7;
let at = 0;
let history: OwnChanges;
beforeEach(() => {
  at = 0;
  history = createOwnChanges(() => at);
});

const facts = (lines: Record<string, string>) => new Map(Object.entries(lines));
const BASE = {
  'window 1': 'window “Main” at (0, 0), 9×9',
  '0/1': 'AXStaticText = “3 seconds”',
  '0/2': 'AXTextArea = “0”',
  '0/3': 'AXButton “Nine”',
};
type Lines = Partial<typeof BASE> & Record<string, string>;

const looks = (lines: Lines, afterMs: number) => {
  at += afterMs;
  history.sawFacts(PID, facts({ ...BASE, ...lines }), true);
};
/** The keys that an act on `target` explains. */
const explained = (lines: Lines, target: Parameters<typeof createChangeComparer>[0] = null, before: Lines = {}) => {
  const told = createChangeComparer(
    target,
    history,
    PID,
  )(facts({ ...BASE, ...before }), facts({ ...BASE, ...before, ...lines }));
  return [...told.explained().after.keys()];
};
async function element(role: string, path: number[]) {
  const desktop = openSimulated();
  const one = await desktop.element(desktop.world.find('send') ?? '', new AbortController().signal);
  await desktop.close();
  return { ...one, role, path };
}

test('[req:TR-6] without a history of it, what changed elsewhere is not explained', () => {
  expect(explained({ '0/2': 'AXTextArea = “9”' })).toEqual([]);
  looks({}, 0);
  looks({}, 1_900);
  expect(explained({ '0/2': 'AXTextArea = “9”' })).toEqual([]);
  looks({}, 100);
  expect(explained({ '0/2': 'AXTextArea = “9”' })).toEqual(['0/2']);
});

test('[req:TR-6] what changed between two looks without an act changes by itself, also when it is acted on', async () => {
  looks({}, 0);
  looks({ '0/1': 'AXStaticText = “8 seconds”' }, 5_000);
  expect(explained({ '0/1': 'AXStaticText = “9 seconds”', '0/2': 'AXTextArea = “9”' })).toEqual(['0/2']);
  expect(explained({ '0/1': 'AXStaticText = “9 seconds”' }, await element('AXTextField', [0, 1]))).toEqual([]);
  at += 11 * 60_000;
  expect(history.fact(PID, '0/1')).not.toBe('own');
});

test('[req:TR-6] a change with an act before it is that act’s; one that comes late after several acts is not', () => {
  looks({}, 0);
  history.acted();
  looks({ '0/2': 'AXTextArea = “9”' }, 3_000);
  looks({ '0/2': 'AXTextArea = “9”' }, 3_000);
  expect(history.fact(PID, '0/2')).toBe('still');
  for (const value of ['1', '2']) {
    expect(history.fact(PID, '0/2')).toBe('still');
    history.acted();
    looks({ '0/2': 'AXTextArea = “9”' }, 10);
    looks({ '0/2': `AXTextArea = “${value}”` }, 500);
  }
  expect(history.fact(PID, '0/2')).toBe('own');
});

test('[req:TR-6] its own target, a state or a window that opens or closes is explained without a history', async () => {
  const field = await element('AXTextArea', [0, 2]);
  expect(explained({ '0/2': 'AXTextArea = “0” focused' })).toEqual(['0/2']);
  expect(explained({ 'window 2': 'window “Dialog” at (0, 0), 9×9' })).toEqual(['window 2']);
  expect(explained({ 'window 1': 'window “Main” at (-5, 7), 9×9' })).toEqual(['window 1']);
  expect(explained({ 'window 1': 'window “Main 40 %” at (0, 0), 9×9' })).toEqual([]);
  expect(explained({ '0/2': 'AXTextArea = “1”' }, field)).toEqual(['0/2']);
  expect(explained({ '0/2': 'AXTextArea = “1”' }, await element('AXTextArea', [0, 1]))).toEqual([]);
  expect(explained({ '0/3/0': 'AXStaticText “Pressed”' }, await element('AXButton', [0, 3]))).toEqual(['0/3/0']);
  expect(explained({ '0/3/0': 'AXRow “News”' }, await element('AXTable', [0, 3]))).toEqual([]);
  expect(explained({ '0/1': 'AXStaticText = “4 seconds”' }, await element('AXStaticText', [0, 1]))).toEqual([]);
});

test('[req:TR-6] windows and lines that come and go by themselves explain nothing', async () => {
  looks({}, 0);
  looks({}, 5_000);
  expect(explained({ '0/4': 'AXRow “a”' })).toEqual(['0/4']);
  looks({ '0/4': 'AXRow “a”', 'window 2': 'window “News” at (0, 0), 9×9' }, 5_000);
  expect(explained({ '0/5': 'AXRow “b”', 'window 3': 'window “More news” at (0, 0), 9×9' })).toEqual([]);
  // A row above it moved it to another place in the tree: nothing of it changed.
  const row = await element('AXRow', [0, 4]);
  const rows = { '0/4': 'AXRow “a”', '0/5': 'AXRow “b”' };
  expect(explained({ '0/4': 'AXRow “new”', '0/5': 'AXRow “a”', '0/6': 'AXRow “b”' }, row, rows)).toEqual([]);
});

test('[req:TR-6] the time of day and a progress bar explain nothing, however long they held still', () => {
  const still = { '0/1': 'AXStaticText = “Tue 9:59”', '0/4': 'AXProgressIndicator = “0.4”' };
  for (let look = 0; look < 4; look += 1) looks(still, 15_000);
  expect(history.fact(PID, '0/1')).toBe('still');
  expect(explained({ '0/1': 'AXStaticText = “Tue 10:00”' }, null, still)).toEqual([]);
  expect(explained({ '0/4': 'AXProgressIndicator = “0.5”' }, null, still)).toEqual([]);
  expect(explained({ '0/1': 'AXStaticText = “Meeting moved to 10:00”' }, null, still)).toEqual(['0/1']);
});

test('[req:TR-6] of a picture, only parts that were seen to hold still tell of an effect', () => {
  const print = (...cells: number[]) => ({
    columns: 2,
    rows: 1,
    edge: 40,
    cells: cells.flatMap((one) => [one, one, one]),
  });
  history.sawPicture('w', print(0, 0));
  expect(history.picture('w', print(0, 0))(0)).toBe('unknown');
  at += 3_000;
  history.sawPicture('w', print(0, 200));
  const habit = history.picture('w', print(0, 200));
  expect([habit(0), habit(1)]).toEqual(['still', 'own']);
  expect(history.picture('w', { ...print(0), columns: 1 })(0)).toBe('unknown');
});

test('[req:TR-6] scrolling to an element is an act, looking at it is none', async () => {
  let acts = 0;
  const signal = new AbortController().signal;
  const simulated = openSimulated();
  const { desktop, close } = withChangeHistory(simulated, { ...NO_OWN_CHANGES, acted: () => (acts += 1) });
  const id = simulated.world.find('send') ?? '';
  await desktop.element(id, signal);
  await desktop.scrollerOf(id, signal);
  expect(acts).toBe(0);
  await desktop.scrollIntoView(id, signal).catch(() => undefined);
  expect(acts).toBe(2);
  close();
  await simulated.close();
});
