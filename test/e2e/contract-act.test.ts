/** click, typeText and hotkey: judged by what the applications of the simulated desktop say they got. */
import { readFile, readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CLICK_SEND, CONFIRM, MAIL, NOTES, SEND, startScene, type Scene } from '../support/world.js';

let scene: Scene;
let failing: string | null = null;
let clock: number[] = [];
beforeEach(async () => {
  failing = null;
  clock = [];
  scene = await startScene({ policy: 'unattended' }, (desktop) => ({
    ...desktop,
    performAction: (...args) =>
      failing === null ? desktop.performAction(...args) : Promise.reject(new Error(failing)),
    key(key, down, ...rest) {
      if (down) clock.push(performance.now());
      return desktop.key(key, down, ...rest);
    },
  }));
});
afterEach(() => scene.close());

const id = (name: string) => {
  const found = scene.world.find(name);
  if (found === null) throw new Error(`no ${name}`);
  return found;
};
const text = (name: string) => scene.world.text(id(name));
const events = (...kinds: string[]) => scene.world.journal().filter(({ event }) => kinds.includes(event));
const refOf = async (role: string, titleContains: string) => {
  const found = await scene.rpc.result('desktop.find', { route: MAIL, selector: { byRole: role, titleContains } });
  return (found['elementRefs'] as { elementId: string; fingerprint: string }[])[0];
};
const field = (titleContains: string) => ({ selector: { byRole: 'AXTextField', titleContains } });
const area = (titleContains: string) => ({ selector: { byRole: 'AXTextArea', titleContains } });
const click = (params: object) => scene.rpc.call('desktop.click', { confirm: CONFIRM, ...params });
const type = (params: object) => scene.rpc.call('desktop.typeText', { confirm: CONFIRM, ...params });
const press = (params: object) => scene.rpc.call('desktop.hotkey', { confirm: CONFIRM, ...params });
const UUID = /^[0-9a-f-]{36}$/;

describe('desktop.click', () => {
  test('[req:BC-5.5-1] takes a reference or a selector, and exactly one of them', async () => {
    const elementRef = await refOf('AXCheckBox', 'Sender gets a copy');
    expect((await click({ route: MAIL, target: { elementRef } })).result).toMatchObject({ clicked: true });
    expect(events('toggled')).toHaveLength(1);
    expect((await click({ route: MAIL, target: SEND })).result).toMatchObject({ clicked: true });
    expect(events('pressed')).toHaveLength(1);
    for (const target of [{}, { elementRef, ...SEND }, undefined])
      expect((await click({ route: MAIL, target })).error).toMatchObject({
        code: 'DESKTOP_INVALID_REQUEST',
        message: expect.stringContaining('target'),
      });
    expect(events('toggled', 'pressed')).toHaveLength(2);
  });

  test('[req:BC-5.5-2] [req:BC-5.5-3] presses by accessibility, tells so, and leaves both pictures', async () => {
    const { result } = await click(CLICK_SEND);
    expect(result).toMatchObject({
      executionId: expect.stringMatching(UUID),
      clicked: true,
      method: 'accessibility',
      evidence: { beforeScreenshot: 'before.png', afterScreenshot: 'after.png' },
    });
    expect(events('pressed')).toMatchObject([{ control: 'send' }]);
    expect(events('pointer')).toEqual([]);
    const { dir } = result?.['evidence'] as { dir: string };
    expect(await readdir(dir)).toEqual(expect.arrayContaining(['before.png', 'after.png']));
    const [before, after] = await Promise.all(['before.png', 'after.png'].map((name) => readFile(dir + name)));
    for (const picture of [before, after]) expect(picture?.subarray(1, 4).toString()).toBe('PNG');
    expect(before?.equals(after ?? Buffer.alloc(0))).toBe(false);
  });

  test('[req:DS-4-21] clicks by pointer what cannot be pressed, if that would hit it', async () => {
    const { result } = await click({ route: MAIL, target: field('Subject') });
    expect(result).toMatchObject({ clicked: true, method: 'pointer' });
    expect(events('pointer')).toMatchObject([{ control: 'subject', value: 'left 1' }]);
    const window = (await scene.desktop.windows(AbortSignal.timeout(1000))).find(
      ({ title }) => title === 'New Message',
    );
    if (window === undefined) throw new Error('no window');
    scene.world.addElement(window.id, {
      role: 'AXGroup',
      title: 'Curtain',
      frame: { x: 0, y: 40, width: 560, height: 60 },
    });
    scene.world.clearJournal();
    expect((await click({ route: MAIL, target: field('Subject') })).error).toMatchObject({
      code: 'DESKTOP_TARGET_CHANGED',
      details: { reason: 'hit_test' },
    });
    expect(events('pointer')).toEqual([]);
  });

  test('[req:BC-5.5-4] what is not there is not found', async () => {
    expect((await click({ route: MAIL, target: { selector: { titleContains: 'Nowhere' } } })).error).toMatchObject({
      code: 'DESKTOP_ELEMENT_NOT_FOUND',
      details: { reason: 'no_match' },
    });
    expect((await click({ target: { elementRef: { elementId: 'e:999999' } } })).error).toMatchObject({
      code: 'DESKTOP_ELEMENT_NOT_FOUND',
    });
    expect(scene.world.journal()).toEqual([]);
  });

  test('[req:BC-5.5-5] an accessibility call that fails is an internal error with its reason', async () => {
    failing = 'AXUIElementPerformAction answered -25204';
    expect((await click(CLICK_SEND)).error).toMatchObject({
      code: 'DESKTOP_INTERNAL_ERROR',
      message: expect.stringContaining('-25204'),
    });
  });
});

describe('desktop.typeText', () => {
  test('[req:BC-5.6-1] types exactly the text given', async () => {
    const exact = '  Grüße 你好 🎉 "quoted" \\n  ';
    const { result } = await type({ route: MAIL, target: field('Subject'), text: exact });
    expect(result).toMatchObject({
      executionId: expect.stringMatching(UUID),
      typed: true,
      evidence: { dir: expect.stringContaining('/artifacts/desktop/') },
    });
    expect(text('subject')).toBe(exact);
  });

  test('[req:BC-5.6-2] goes to the reference or selector given, else to where the focus is', async () => {
    const elementRef = await refOf('AXTextField', 'Subject');
    expect((await type({ target: { elementRef }, text: 'one' })).result).toMatchObject({ typed: true });
    await type({ route: MAIL, target: area('Body'), text: 'two' });
    expect((await type({ text: 'three' })).result).toMatchObject({ typed: true });
    expect([text('subject'), text('body'), text('to')]).toEqual(['one', 'two', 'three']);
    scene.world.person.focus(id('body'));
    await type({ text: '!' });
    expect(text('body')).toBe('two!');
  });

  test('[req:BC-5.6-2] [req:DS-4-20] a target that does not take the focus is an error, and nothing is typed elsewhere', async () => {
    const target = { selector: { byRole: 'AXStaticText', titleContains: 'Subject' } };
    const refused = await type({ route: MAIL, target, text: 'lost' });
    expect(refused.error).toMatchObject({
      code: 'DESKTOP_ELEMENT_NOT_FOUND',
      details: { reason: 'not_focused' },
    });
    expect(events('key', 'changed', 'pasted')).toEqual([]);
  });

  test('[req:BC-5.6-3] clearBefore empties the text first, whichever way it types', async () => {
    await type({ route: NOTES, target: area('Note'), text: 'A', options: { clearBefore: true } }); // prettier-ignore
    expect(text('note')).toBe('A');
    scene.world.person.type('ada@example.org');
    await type({ text: 'bob', options: { clearBefore: true } });
    expect(text('to')).toBe('bob');
    await type({ route: MAIL, target: field('To'), text: 'eve', options: { clearBefore: true, paste: true } });
    expect(text('to')).toBe('eve');
  });

  test('[req:BC-5.6-4] [req:BC-5.6-5] needs a text, and a target that is there', async () => {
    for (const wrong of [{}, { text: '' }, { text: 7 }])
      expect((await type(wrong)).error).toMatchObject({
        code: 'DESKTOP_INVALID_REQUEST',
        message: expect.stringContaining('text'),
      });
    expect((await type({ target: field('Nowhere'), text: 'x' })).error).toMatchObject({
      code: 'DESKTOP_ELEMENT_NOT_FOUND',
    });
    expect(scene.world.journal()).toEqual([]);
  });

  test('[req:DS-4-18] [req:DS-4-19] writes by accessibility, else by keys, and pastes on request, giving the clipboard back', async () => {
    scene.world.setClipboard({ text: 'mine' });
    const subject = { route: MAIL, target: field('Subject') };
    expect((await type({ ...subject, text: 'a' })).result).toMatchObject({ method: 'accessibility' });
    expect(events('key', 'pasted')).toEqual([]);
    const route = { app: { bundleId: 'simulated.calculator' } };
    expect((await type({ route, text: '7' })).result).toMatchObject({ method: 'keys', effect: 'confirmed' });
    expect(text('display')).toBe('7');
    expect(events('pasted')).toEqual([]);
    expect((await type({ ...subject, text: 'c', options: { paste: true } })).result).toMatchObject({
      method: 'paste',
      effect: 'confirmed',
      after: 'ac',
    });
    expect(events('pasted')).toMatchObject([{ control: 'subject', value: 'c' }]);
    expect(scene.world.clipboard()).toEqual({ text: 'mine' });
  });
});

describe('desktop.hotkey', () => {
  test('[req:BC-5.7-1] [req:BC-5.7-2] presses keys as one chord, modifiers held: cmd+v, enter, cmd+enter', async () => {
    scene.world.setClipboard({ text: 'pasted' });
    expect((await press({ keys: ['cmd', 'v'] })).result).toMatchObject({
      executionId: expect.stringMatching(UUID),
      sent: true,
      evidence: { dir: expect.stringContaining('/artifacts/desktop/') },
    });
    expect(text('to')).toBe('pasted');
    expect((await press({ keys: ['enter'] })).result).toMatchObject({ sent: true });
    expect(events('pressed')).toMatchObject([{ control: 'send' }]);
    expect((await press({ keys: ['enter', 'cmd'] })).result).toMatchObject({ sent: true, keys: ['cmd', 'enter'] });
    expect(events('key', 'keyup').map(({ event, value }) => `${event} ${value}`)).toEqual([
      ...['key cmd', 'key cmd+v', 'keyup v', 'keyup cmd'],
      ...['key enter', 'keyup enter'],
      ...['key cmd', 'key cmd+enter', 'keyup enter', 'keyup cmd'],
    ]);
  });

  test('[req:BC-4.3-1] go to the application of the route, which comes to the front for them', async () => {
    const front = async () => (await scene.desktop.frontmost(AbortSignal.timeout(5000))).app?.id;
    expect(await front()).toBe('simulated.mail');
    scene.world.person.focus(id('note'));
    scene.world.person.focus(id('to'));
    expect(await front()).toBe('simulated.mail');
    const route = { ...NOTES, focusPolicy: 'focusIfNeeded' };
    expect((await press({ route, keys: ['x'] })).result).toMatchObject({ sent: true });
    expect(await front()).toBe('simulated.notes');
    expect(events('key').map(({ window }) => window)).toEqual(['Shopping']);
    expect(text('to')).toBe('');
  });

  test('[req:BC-5.7-3] delayMs lies between the keys', async () => {
    await press({ keys: ['x', 'y', 'z'], options: { delayMs: 120 } });
    expect(text('to')).toBe('xyz');
    const [first = 0, second = 0, third = 0] = clock;
    for (const gap of [second - first, third - second]) expect(gap).toBeGreaterThanOrEqual(119);
    for (const keys of [[], undefined, 'cmd+v'])
      expect((await press({ keys })).error).toMatchObject({ code: 'DESKTOP_INVALID_REQUEST' });
  });

  test('[req:DS-4-11] a key that this desktop has not is unsupported, never a success', async () => {
    for (const keys of [['mute'], ['cmd', 'capslock', 'a'], ['printscreen']])
      expect((await press({ keys })).error, keys.join('+')).toMatchObject({
        code: 'DESKTOP_UNSUPPORTED',
        retryable: false,
      });
    expect(text('to')).toBe('');
  });

  test('[req:DS-4-4] takes every usual name, and lists the known ones for an unknown one', async () => {
    for (const keys of [['command', 'a'], ['control', 'a'], ['Return'], ['esc'], ['option', 'b'], ['page_down']])
      expect((await press({ keys })).result, keys.join('+')).toMatchObject({ sent: true });
    const { error } = await press({ keys: ['hyper', 'x'] });
    expect(error).toMatchObject({ code: 'DESKTOP_INVALID_REQUEST', details: { reason: 'unknown_key', key: 'hyper' } });
    expect(error?.details['keys']).toEqual(expect.arrayContaining(['cmd', 'enter', 'f20']));
  });
});
