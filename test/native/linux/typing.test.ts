import { execFileSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { InputGuard } from '../../../src/native/desktop.js';
import { eventually, type FixtureApp, type LinuxDesktop, openLinuxDesktop } from '../../support/linux-desktop.js';
import { keyboardState } from '../../support/keyboard-state.js';

const free: InputGuard = () => Promise.resolve();
const signal = new AbortController().signal;
const running: FixtureApp[] = [];
let linux: LinuxDesktop;

beforeAll(async () => {
  linux = await openLinuxDesktop();
});
afterEach(async () => {
  await linux.desktop.releaseAll();
  await Promise.all(running.splice(0).map((app) => app.end()));
});
afterAll(() => linux.close());

async function open(kit: 'gtk' | 'qt'): Promise<FixtureApp> {
  const app = await linux.fixture({ kit });
  running.push(app);
  const window = await linux.window((one) => one.app.pid === app.pid);
  await linux.desktop.focusWindow(window.id, signal);
  await eventually(async () => expect((await linux.desktop.focusedElement(signal))?.title).toBe('Name'));
  return app;
}

const lastText = async (app: FixtureApp, control = 'entry'): Promise<string | undefined> =>
  (await app.journal()).findLast((line) => line.control === control && line.event === 'changed')?.value;

const capsLock = (): boolean => (keyboardState(linux.session.env).locked & 2) !== 0;

async function expectText(app: FixtureApp, text: string, control = 'entry'): Promise<void> {
  await eventually(async () => expect(await lastText(app, control)).toBe(text));
}

const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index)).join('');
/** Dead keys and level 3 keys of the German layout, and what no layout has. */
const ACCENTS = 'ÄÖÜäöüß´`^~°²³{[]}\\@€µ|<>áàâãåæçéèêëíñóôøúýÿ';
const FAR = '世界こんにちは한국어Привет γειά שלום ไทย 👋🏽👩‍💻🇩🇪 ½…—“”';

it('types the same text where the layout is switched in the middle of it', async () => {
  execFileSync('setxkbmap', ['-layout', 'us,de'], { env: linux.session.env });
  const app = await open('gtk');
  let keys = 0;
  const guard = async (): Promise<void> => {
    keys += 1;
    if (keys === 3) keyboardState(linux.session.env, { group: 1 });
    if (keys === 8) keyboardState(linux.session.env, { group: 0 });
  };
  await linux.desktop.typeText('lazy zymurgy; yes', guard, signal);
  await expectText(app, 'lazy zymurgy; yes');
  execFileSync('setxkbmap', ['-layout', 'us'], { env: linux.session.env });
});

describe.each(['gtk', 'qt'] as const)('typing into %s', (kit) => {
  it.each(['us', 'de', 'fr', 'us,ru'])('types everything on the layout %s', async (layout) => {
    execFileSync('setxkbmap', ['-layout', layout], { env: linux.session.env });
    const app = await open(kit);
    await linux.desktop.typeText(ASCII, free, signal);
    await expectText(app, ASCII);
    await linux.desktop.typeText(ACCENTS, free, signal);
    await expectText(app, ASCII + ACCENTS);
    // What no layout has is typed on borrowed keys, on each in the same way: all of it on one, and beside a second group.
    const far = layout.startsWith('us') ? FAR : '世界Привет👋🏽';
    await linux.desktop.typeText(far, free, signal);
    await expectText(app, ASCII + ACCENTS + far);
    execFileSync('setxkbmap', ['-layout', 'us'], { env: linux.session.env });
  });

  it('types more different characters than there are spare keys, again and again', async () => {
    const app = await open(kit);
    const text = Array.from({ length: 48 }, (_, index) => String.fromCodePoint(0x4e00 + index * 7)).join('');
    await linux.desktop.typeText(text, free, signal);
    await linux.desktop.typeText([...text].toReversed().join(''), free, signal);
    await expectText(app, text + [...text].toReversed().join(''));
  });

  it('types lines and tabs into a long text', async () => {
    const app = await open(kit);
    const { elements } = await linux.desktop.find(
      { pid: app.pid },
      { role: 'AXTextArea', titleContains: 'Story' },
      1,
      { maxDepth: 60, maxNodes: 5000, timeoutMs: 10_000 },
      signal,
    );
    await linux.desktop.focusElement(elements[0]?.id ?? '', signal);
    await linux.desktop.typeText('one\r\ntwo\n\tthree – 三', free, signal);
    await expectText(app, 'one\ntwo\n\tthree – 三', 'area');
  });

  it('types as written while Caps Lock is on, and leaves it on', async () => {
    const app = await open(kit);
    await linux.desktop.key('capslock', true, free, signal);
    await linux.desktop.key('capslock', false, free, signal);
    try {
      await linux.desktop.typeText('aBc äÖü жЖ', free, signal);
      await expectText(app, 'aBc äÖü жЖ');
      expect(capsLock()).toBe(true);
    } finally {
      await linux.desktop.key('capslock', true, free, signal);
      await linux.desktop.key('capslock', false, free, signal);
    }
  });
});

describe('typing', () => {
  it('stops at once when it is aborted between characters, and holds nothing down', async () => {
    const app = await open('gtk');
    const abort = new AbortController();
    let typed = 0;
    const guard = async (): Promise<void> => {
      typed += 1;
      if (typed === 20) abort.abort(new Error('stop'));
      return Promise.resolve();
    };
    const text = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.repeat(10);
    await expect(linux.desktop.typeText(text, guard, abort.signal)).rejects.toThrow('stop');
    await linux.desktop.typeText('z', free, signal);
    await eventually(async () => expect(await lastText(app)).toMatch(/z$/));
    const all = (await lastText(app)) ?? '';
    expect(text.startsWith(all.slice(0, -1))).toBe(true);
    expect(all.length).toBeLessThanOrEqual(20);
  });

  it('refuses control characters before it types anything', async () => {
    const app = await open('gtk');
    await expect(linux.desktop.typeText('ab\u0007c', free, signal)).rejects.toMatchObject({ code: 'unsupported' });
    await expect(linux.desktop.typeText('ab\u001b[31m', free, signal)).rejects.toMatchObject({ code: 'unsupported' });
    await linux.desktop.typeText('x', free, signal);
    await expectText(app, 'x');
    expect((await app.journal()).map(({ value }) => value)).toEqual(['x']);
  });

  it('gives the borrowed keys back when it closes, and uses those of a host that could not', async () => {
    const own = await openLinuxDesktop({ width: 640, height: 480 });
    const keys = (): string[] => symbols(execFileSync('xkbcomp', [own.session.display, '-'], { env: own.session.env }));
    try {
      const app = await own.fixture();
      await eventually(async () => expect((await own.desktop.focusedElement(signal))?.title).toBe('Name'));
      const before = keys();
      const many = Array.from({ length: 40 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('');
      const killed = await own.another();
      await killed.typeText(many, free, signal);
      const next = await own.another();
      await next.typeText('äöüß世', free, signal);
      await expectText(app, `${many}äöüß世`);
      expect(keys()).not.toEqual(before);
      await next.close();
      await killed.close();
      expect(keys()).toEqual(before);
      await app.end();
    } finally {
      await own.close();
    }
  });

  it('presses shortcuts on a layout without Latin letters', async () => {
    execFileSync('setxkbmap', ['-layout', 'ru'], { env: linux.session.env });
    const app = await open('gtk');
    await linux.desktop.typeText('привет', free, signal);
    await expectText(app, 'привет');
    for (const down of [true, false]) {
      for (const key of down ? ['ctrl', 'a'] : ['a', 'ctrl']) await linux.desktop.key(key, down, free, signal);
    }
    await linux.desktop.typeText('нет', free, signal);
    await expectText(app, 'нет');
    execFileSync('setxkbmap', ['-layout', 'us'], { env: linux.session.env });
  });
});

/** The characters that keys have, by key; comments and order of types do not matter. */
function symbols(map: Buffer): string[] {
  return [...map.toString().matchAll(/key\s+<\w+>\s*\{[^}]*\[[^\]]*U\w+[^\]]*\]/g)].map(([line]) => line);
}
