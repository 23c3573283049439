/** What a person is shown, and what lasts of their yes: through real socket, host and page. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, describe, expect, test } from 'vitest';
import { CLICK_COPY, CLICK_SEND, CONFIRM, MAIL, NOTES, startScene, type Scene } from '../support/world.js';
import { message } from '../../src/messages/index.js';

let scene: Scene;
afterEach(() => scene.close());

const CALCULATOR = { app: { bundleId: 'simulated.calculator' } };
const cards = () => scene.person.seen.filter((one) => one.type === 'approvalRequested').length;
const keys = () => scene.world.journal().filter(({ event }) => event === 'key');
const type = (params: object, meta = {}) => scene.rpc.call('desktop.typeText', { confirm: CONFIRM, ...params }, meta);

async function granted(route: object, text: string): Promise<void> {
  const [first] = await Promise.all([type({ route, text }), scene.person.answer('allow', { grant: 'session' })]);
  expect(first.result).toMatchObject({ typed: true });
}

/** The call opens a card; it is given up again, without an answer. */
async function asked(method: string, params: object): Promise<Record<string, unknown>> {
  const before = cards();
  const call = scene.rpc.call(method, { confirm: CONFIRM, ...params }, { requestId: `asked-${before}` });
  const { approval } = await scene.person.next('approvalRequested');
  await scene.rpc.result('desktop.abort', { executionId: `asked-${before}` });
  expect((await call).error).toMatchObject({ code: 'DESKTOP_ABORTED' });
  return approval;
}

test('[req:DS-6-18] [req:DS-4-18] a card shows who asks, with what exactly, where, what it looks like, its class and how long it waits', async () => {
  scene = await startScene();
  const target = { selector: { byRole: 'AXTextField', titleContains: 'Subject' } };
  const params = { route: MAIL, target, text: 'Hello', options: { clearBefore: true, paste: true } };
  const card = await asked('desktop.typeText', params);
  expect(card).toMatchObject({
    agent: { pid: process.pid, executable: process.execPath, claim: null },
    tool: 'desktop.typeText',
    effect: 'input',
    arguments: params,
    text: 'Hello',
    subject: {
      title: { code: 'title.type', params: { count: 5 } },
      target: 'Subject',
      app: 'Mail',
      place: 'New Message',
    },
    window: 'New Message',
    process: { appId: 'simulated.mail' },
    notes: [message('note.through_clipboard'), message('note.replaces')],
    orphaned: false,
  });
  const { picture, createdAt, expiresAt } = card as {
    picture: { base64: string; width: number; height: number; target: { x: number; width: number } };
    createdAt: string;
    expiresAt: string;
  };
  expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(300_000);
  const { width, height } = await sharp(Buffer.from(picture.base64, 'base64')).metadata();
  expect({ width, height }).toEqual({ width: picture.width, height: picture.height });
  expect(picture.target.width).toBeGreaterThan(0);
  expect(picture.target.x + picture.target.width).toBeLessThanOrEqual(picture.width);
});

describe('under a grant', () => {
  test('[req:DS-6-14] keys go on only while the granted window has the focus', async () => {
    scene = await startScene();
    await granted(CALCULATOR, '1');
    const before = cards();
    const call = type({ route: CALCULATOR, text: '2'.repeat(20_000) });
    while (keys().length < 50) await new Promise((resolve) => setImmediate(resolve));
    scene.world.raiseWindow((await windows()).find(({ title }) => title === 'Shopping')?.id ?? '');
    const count = keys().length;
    expect((await call).error).toMatchObject({ code: 'DESKTOP_TARGET_CHANGED', details: { reason: 'not_shown' } });
    expect(cards()).toBe(before);
    expect(keys().length).toBeLessThanOrEqual(count + 1);
    expect(new Set(keys().map(({ window }) => window))).toEqual(new Set(['Calculator']));
  });

  test('[req:DS-6-15] what leaves the window, line breaks and tabs are asked for all the same', async () => {
    scene = await startScene();
    await granted(MAIL, 'a');
    const before = cards();
    expect((await type({ route: MAIL, text: 'b' })).result).toMatchObject({ typed: true });
    expect((await scene.rpc.call('desktop.hotkey', { route: MAIL, keys: ['ctrl', 'a'], confirm: CONFIRM })).result)
      .toMatchObject({ sent: true }); // prettier-ignore
    expect(cards()).toBe(before);
    for (const text of ['c\n', 'c\r', 'c\t'])
      expect(await asked('desktop.typeText', { route: MAIL, text })).toMatchObject({ text });
    for (const chord of [['cmd', 'space'], ['alt', 'tab'], ['ctrl', 'alt', 't'], ['cmd']])
      expect(await asked('desktop.hotkey', { route: MAIL, keys: chord })).toMatchObject({ effect: 'input' });
    expect(cards()).toBe(before + 7);
  });

  test('[req:DS-6-12] another application is asked for', async () => {
    scene = await startScene();
    await granted(MAIL, 'a');
    expect(await asked('desktop.typeText', { route: NOTES, text: 'b' })).toMatchObject({ subject: { app: 'Notes' } });
  });
});

describe('a right phrase', () => {
  const start = async (confirmPhrase: string) => {
    const folder = await mkdtemp(join(tmpdir(), 'chaperone-policy-'));
    const policy = join(folder, 'policy.json');
    await writeFile(policy, JSON.stringify({ confirmPhrase }), { mode: 0o600 });
    scene = await startScene({ policy });
    await rm(folder, { recursive: true });
  };
  const click = (phrase: string, requestId: string) =>
    scene.rpc.call('desktop.click', { ...CLICK_COPY, confirm: { phrase } }, { requestId });
  const presses = () => scene.world.journal().filter(({ event }) => event === 'toggled').length;

  test('[req:DS-4-10] [req:BC-4.2-7] is enough where the policy accepts it; a wrong one is not', async () => {
    await start('accept');
    const seen = scene.rpc.call('desktop.find', { route: MAIL, selector: { titleContains: 'Send' } });
    await Promise.all([seen, scene.person.answer('allow')]);
    for (const [phrase, requestId] of [
      ['CONFIRM', 'one'],
      ['CONFIRM:two', 'two'],
    ] as const)
      expect((await click(phrase, requestId)).result).toMatchObject({ clicked: true });
    expect((await click('CONFIRM:two', 'three')).error).toMatchObject({ details: { reason: 'mismatch' } });
    expect(presses()).toBe(2);
    expect(cards()).toBe(1);
  });

  test('[req:AC-3] is not enough for what has consequences, whatever the policy', async () => {
    await start('accept');
    const call = scene.rpc.call('desktop.click', CLICK_SEND);
    expect(await scene.person.answer('deny')).toMatchObject({ effect: 'dangerous', grants: [] });
    expect((await call).error).toMatchObject({ details: { reason: 'denied' } });
  });

  test('[req:DS-4-10] [req:DS-4-9] is refused where the policy rejects it', async () => {
    await start('reject');
    expect((await click('CONFIRM', 'one')).error).toMatchObject({
      code: 'DESKTOP_CONFIRM_REQUIRED',
      details: { reason: 'policy' },
    });
    expect(presses() + cards()).toBe(0);
  });
});

describe('looking', () => {
  const look = () => scene.rpc.call('desktop.find', { route: MAIL, selector: { titleContains: 'end' } });

  test('[req:DS-4-27] [req:DS-6-1] carries no confirmation and is asked for once in a session', async () => {
    scene = await startScene();
    const [first] = await Promise.all([look(), scene.person.answer('allow')]);
    expect(first.result).toMatchObject({ matched: 2 });
    expect((await look()).result).toMatchObject({ matched: 2 });
    expect(cards()).toBe(1);
    expect(await asked('desktop.find', { route: NOTES, selector: {}, confirm: undefined })).toMatchObject({
      effect: 'disclose',
    });
  });

  test('[req:DS-4-27] [req:DS-6-2] is asked for each time under strict', async () => {
    scene = await startScene({ policy: 'strict' });
    for (const round of [1, 2]) {
      const [found] = await Promise.all([look(), scene.person.answer('allow')]);
      expect(found.result).toMatchObject({ matched: 2 });
      expect(cards()).toBe(round);
    }
  });

  test('[req:DS-6-2] is all that readonly lets be asked for', async () => {
    scene = await startScene({ policy: 'readonly' });
    const [found] = await Promise.all([look(), scene.person.answer('allow')]);
    expect(found.result).toMatchObject({ matched: 2 });
    expect((await scene.rpc.call('desktop.click', CLICK_SEND)).error).toMatchObject({
      code: 'DESKTOP_CONFIRM_REQUIRED',
      details: { reason: 'policy' },
    });
    expect(scene.world.journal()).toEqual([]);
  });
});

const windows = () => scene.desktop.windows(AbortSignal.timeout(5000));
