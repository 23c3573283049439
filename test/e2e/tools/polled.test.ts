/** Keys and buttons in a program that polls their state, as games do: it sees each press, and two presses as two. */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { openInputScene, type InputScene } from '../../support/input-scene.js';

let scene: InputScene;
let program: ChildProcess;
let file: string;
let point: { x: number; y: number };

beforeAll(async () => {
  scene = await openInputScene();
  file = join(scene.chaperone.workspace, 'polled');
  program = spawn(join(import.meta.dirname, '../../support/apps/polled.py'), [file], {
    env: scene.env,
    stdio: 'ignore',
  });
  const { name, ...frame } = await scene.window('Polled');
  point = { x: frame.x + frame.width / 2, y: frame.y + frame.height / 2 };
  await scene.act('focus_window', { name });
});
afterAll(async () => {
  program.kill('SIGKILL');
  await scene.close();
});

type Seen = 'keys' | 'buttons';
/** How many keys or buttons the program has seen go down. */
async function presses(what: Seen): Promise<number> {
  const states = (await readFile(file, 'utf8')).trim().split('\n').map((line) => Number(line.split(' ')[what === 'keys' ? 0 : 1])); // prettier-ignore
  return states.reduce((sum, now, index) => sum + Math.max(0, now - (states[index - 1] ?? 0)), 0);
}

const cases: readonly [tool: string, args: Record<string, unknown>, what: Seen, count: number][] = [
  ['press_key', { key: 'up' }, 'keys', 1],
  ['press_key', { key: 'space', modifiers: ['ctrl'] }, 'keys', 2],
  ['type_text', { text: 'game' }, 'keys', 4],
  ['type_text', { text: 'aab' }, 'keys', 3],
  ['hold_key', { key: 'left', duration: 0.001 }, 'keys', 1],
  ['click', {}, 'buttons', 1],
  ['click', { click_count: 2 }, 'buttons', 2],
  ['click', { button: 'right' }, 'buttons', 1],
];

test.each(cases)('[req:KB-4] sees %s %j', async (tool, args, what, count) => {
  const before = await presses(what);
  await scene.act(tool, what === 'keys' ? args : { ...args, ...point });
  await eventually(async () => (await presses(what)) - before).toBe(count);
});
