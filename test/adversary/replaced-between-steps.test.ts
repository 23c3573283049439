/** Files that are written once they were planned: while the card is open, by an earlier step, or while the act itself takes its time. */
import { writeFileSync } from 'node:fs';
import { link, readdir, readFile, rename, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.js';
import { sha256 } from '../../src/main/approvals/digest.js';
import { settle } from '../support/person.js';
import { startScene, type Scene } from '../support/world.js';

let scene: Scene;
let agent: TestAgent;
/** What another program does as soon as the pointer moves. */
let onMove: () => void;
const file = (name: string): string => join(scene.workspace, name);

beforeEach(async () => {
  onMove = () => undefined;
  scene = await startScene({}, (desktop) => ({
    ...desktop,
    async movePointer(to, signal) {
      await desktop.movePointer(to, signal);
      onMove();
    },
  }));
  scene.person.allowLooking();
  agent = await startAgent(scene.home, { cwd: scene.workspace });
  await writeFile(file('letter.txt'), 'as it was read');
  await picture('white').toFile(file('chart.png'));
  await writeFile(file('tool'), '#!/bin/sh\n', { mode: 0o755 });
});
afterEach(async () => {
  await agent.close();
  await scene.close();
});

const picture = (background: string) => sharp({ create: { width: 4, height: 4, channels: 3, background } }).png();

async function allowed(
  tool: string,
  given: Record<string, unknown>,
  meanwhile: () => Promise<unknown> = async () => {},
) {
  const call = agent.call(tool, given);
  const { approval } = await scene.person.next(
    'approvalRequested',
    ({ approval: { effect } }) => effect !== 'disclose',
  );
  await meanwhile();
  await settle(scene.person, approval, 'allow');
  return call;
}

const noteId = async (): Promise<string> => {
  const { value } = await agent.call('wait_element', { parent: 'simulated.notes', role: 'AXTextArea' });
  return (value['element'] as { elementId: string }).elementId;
};

/** An application with a button that does this, and the step that presses it. */
function stepThat(onPress: () => void): { tool: string; arguments: object } {
  const elements = [{ role: 'AXButton' as const, title: 'Convert', frame: { x: 10, y: 20, width: 100, height: 30 }, onPress }]; // prettier-ignore
  const windows = [{ title: 'Converter', frame: { x: 40, y: 500, width: 300, height: 200 }, elements }];
  scene.world.addApp({ id: 'simulated.converter', name: 'Converter', executable: '/converter', windows });
  return { tool: 'click_element', arguments: { parent: 'simulated.converter', role: 'button', title: 'Convert' } };
}

const events = (name: string) => scene.world.journal().filter(({ event }) => event === name);

describe('[req:RF-2] a later step of a plan', () => {
  /** With the file that the step names, and whatever the step does to the world where it is done. */
  const steps: Record<string, [string, () => Promise<Record<string, unknown>>, () => boolean]> = {
    open_application: ['tool', async () => ({ application_id: 'simulated.tool' }), () => scene.world.find('Tool') !== null],
    drag_files: ['letter.txt', async () => ({ element_id: await noteId(), file_paths: [file('letter.txt')], duration: 0.01 }), () => events('dropped').length > 0],
    'write_clipboard of files': ['letter.txt', async () => ({ type: 'files', files: [file('letter.txt')] }), () => Object.keys(scene.world.clipboard()).length > 0],
    'write_clipboard of a picture': ['chart.png', async () => ({ type: 'image', image: 'chart.png' }), () => Object.keys(scene.world.clipboard()).length > 0],
  }; // prettier-ignore

  const planned = async (name: string, onPress: () => void) => {
    const [, given] = steps[name] ?? [];
    const windows = [{ title: 'Tool', frame: { x: 900, y: 600, width: 200, height: 100 }, elements: [{ role: 'AXButton' as const, title: 'Tool', identifier: 'Tool', frame: { x: 10, y: 20, width: 50, height: 30 } }] }]; // prettier-ignore
    scene.world.addApp({ id: 'simulated.tool', name: 'Tool', executable: file('tool'), windows }, { start: false });
    const [tool = ''] = name.split(' ');
    return allowed('run_plan', { steps: [stepThat(onPress), { tool, arguments: await given?.() }] });
  };

  test.each(Object.keys(steps))('%s, is done with the file that was there when the person was asked', async (name) => {
    const { isError, text } = await planned(name, () => undefined);
    expect(isError, text).toBe(false);
    expect(steps[name]?.[2]()).toBe(true);
  });

  test.each(Object.keys(steps))('%s, is not done with a file that was written before it', async (name) => {
    const [written = '', , isDone] = steps[name] ?? [];
    const { text } = await planned(name, () => writeFileSync(file(written), 'another'));
    expect(text).toContain('DESKTOP_TARGET_CHANGED');
    expect(text).toMatch(/step 2/i);
    expect(isDone?.()).toBe(false);
  });
});

const COPIES: [string, Record<string, unknown>, () => Promise<unknown>][] = [
  ['a picture that is replaced', { type: 'image', image: 'chart.png' }, () => rename(file('other.png'), file('chart.png'))],
  ['a picture that is written', { type: 'image', image: 'chart.png' }, () => picture('black').toFile(file('chart.png'))],
  ['a picture that a link leads away from', { type: 'image', image: 'link.png' }, () => unlink(file('link.png')).then(() => symlink('other.png', file('link.png')))],
  ['a file that is written', { type: 'files', files: ['letter.txt'] }, () => writeFile(file('letter.txt'), 'another')],
  ['a file that is replaced', { type: 'files', files: ['letter.txt'] }, () => rename(file('tool'), file('letter.txt'))],
]; // prettier-ignore

test.each(COPIES)(
  '[req:RF-1] %s while its card is open does not go to the clipboard',
  async (_what, given, meanwhile) => {
    await picture('black').toFile(file('other.png'));
    await symlink('chart.png', file('link.png'));
    const absolute = given['files'] === undefined ? given : { ...given, files: [file('letter.txt')] };
    const { text } = await allowed('write_clipboard', absolute, meanwhile);
    expect(text).toContain('DESKTOP_TARGET_CHANGED');
    expect(scene.world.clipboard()).toEqual({});
  },
);

test('another name for the same file, and another time, are no other file', async () => {
  const given = { type: 'files', files: [file('letter.txt')] };
  const { isError, text } = await allowed('write_clipboard', given, async () => {
    await link(file('letter.txt'), file('also.txt'));
    await writeFile(file('letter.txt'), 'as it was read');
  });
  expect(isError, text).toBe(false);
  expect(scene.world.clipboard()).toEqual({ files: [file('letter.txt')] });
});

test('[req:RF-2] a file that is written while the pointer is still on its way is not dropped', async () => {
  const given = { element_id: await noteId(), file_paths: [file('letter.txt')], duration: 0.01 };
  expect((await allowed('drag_files', given)).isError).toBe(false);
  expect(events('dropped')).toHaveLength(1);
  onMove = () => writeFileSync(file('letter.txt'), 'another letter');
  expect((await allowed('drag_files', given)).text).toContain('DESKTOP_TARGET_CHANGED');
  expect(events('dropped')).toHaveLength(1);
});

async function recordsIn(folder: string): Promise<string> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.jsonl?$/.test(name));
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('\n');
}

test('[req:RF-4] neither the refusal nor the record says what a file holds, not even by its digest', async () => {
  const given = { type: 'files', files: [file('letter.txt')] };
  const refused = await allowed('write_clipboard', given, () => writeFile(file('letter.txt'), 'another'));
  const { value } = await allowed('write_clipboard', given);
  expect(value).toMatchObject({ written: true });
  const kept = await Promise.all([scene.workspace, join(scene.home, 'state')].map(recordsIn));
  expect(kept.join('\n')).toContain(file('letter.txt'));
  for (const digest of ['as it was read', 'another'].map((text) => sha256(text)))
    expect([refused.text, JSON.stringify(refused.value), ...kept].join('\n')).not.toContain(digest);
});
