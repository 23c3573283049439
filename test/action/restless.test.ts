import { expect, test } from 'vitest';
import { createChangeWatch } from '../../src/main/action/context/restless.js';
import { openSimulated } from '../../src/native/simulated/index.js';

const facts = (lines: Record<string, string>) => new Map(Object.entries(lines));
const BASE = {
  'window 1': 'window “Main” at (0, 0), 9×9',
  '0/1': 'AXStaticText = “12:00:01”',
  '0/2': 'AXTextArea = “0”',
};

async function target(role: string, path: number[]) {
  const desktop = openSimulated();
  const signal = new AbortController().signal;
  const element = await desktop.element(desktop.world.find('send') ?? '', signal);
  await desktop.close();
  return { ...element, role, path };
}

test('[req:TR-6] what changes again changes by itself; what changed once and stays is told', () => {
  const watch = createChangeWatch(facts(BASE), null);
  watch.see(facts(BASE), 0);
  expect(watch.changed()).toBe(false);
  watch.see(facts({ ...BASE, '0/1': 'AXStaticText = “12:00:02”', '0/2': 'AXTextArea = “9”' }), 100);
  expect([watch.changed(), watch.explained(), watch.undecided(1000, 700)]).toEqual([true, false, true]);
  expect(watch.settled(1000).after.size).toBe(0);
  watch.see(facts({ ...BASE, '0/1': 'AXStaticText = “12:00:03”', '0/2': 'AXTextArea = “9”' }), 1100);
  expect(watch.undecided(1000, 700)).toBe(false);
  expect(watch.settled(1000)).toEqual({
    before: facts({ '0/2': BASE['0/2'] }),
    after: facts({ '0/2': 'AXTextArea = “9”' }),
  });
});

test('[req:TR-6] what changed later than the rest is not settled with it, and what came too late is not waited for', () => {
  const watch = createChangeWatch(facts(BASE), null);
  watch.see(facts({ ...BASE, '0/2': 'AXTextArea = “9”' }), 100);
  watch.see(facts({ ...BASE, '0/1': 'AXStaticText = “12:00:02”', '0/2': 'AXTextArea = “9”' }), 600);
  watch.see(facts({ ...BASE, '0/1': 'AXStaticText = “12:00:02”', '0/2': 'AXTextArea = “9”' }), 1100);
  expect([...watch.settled(1000).after.keys()]).toEqual(['0/2']);
  expect([watch.undecided(1000, 700), watch.undecided(1000, 500)]).toEqual([true, false]);
});

test('[req:TR-6] lines that keep coming are no answer, one that came is', () => {
  const watch = createChangeWatch(facts(BASE), null);
  watch.see(facts({ ...BASE, '0/3': 'AXRow “a”' }), 0);
  watch.see(facts({ ...BASE, '0/3': 'AXRow “a”' }), 1000);
  expect([...watch.settled(1000).after.keys()]).toEqual(['0/3']);
  watch.see(facts({ ...BASE, '0/3': 'AXRow “a”', '0/4': 'AXRow “b”' }), 1100);
  watch.see(facts({ ...BASE, '0/3': 'AXRow “a”', '0/4': 'AXRow “b”' }), 3000);
  expect(watch.settled(1000).after.size).toBe(0);
});

test('[req:TR-6] its own target, a state or a window that opens or closes is explained at once', async () => {
  const changed = (lines: Record<string, string>, of: Parameters<typeof createChangeWatch>[1] = null) => {
    const watch = createChangeWatch(facts(BASE), of);
    watch.see(facts(lines), 0);
    return watch.explained();
  };
  expect(changed({ ...BASE, '0/2': 'AXTextArea = “0” focused' })).toBe(true);
  expect(changed({ ...BASE, 'window 2': 'window “Dialog” at (0, 0), 9×9' })).toBe(true);
  expect(changed({ ...BASE, 'window 1': 'window “Main 40 %” at (0, 0), 9×9' })).toBe(false);
  expect(changed({ ...BASE, '0/2': 'AXTextArea = “1”' })).toBe(false);
  expect(changed({ ...BASE, '0/2': 'AXTextArea = “1”' }, await target('AXTextArea', [0, 2]))).toBe(true);
  expect(changed({ ...BASE, '0/2': 'AXTextArea = “1”' }, await target('AXTextArea', [0, 1]))).toBe(false);
  expect(changed({ ...BASE, '0/1': 'AXStaticText = “12:00:02”' }, await target('AXStaticText', [0, 1]))).toBe(false);
});
