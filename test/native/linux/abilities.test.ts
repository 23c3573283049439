/** `doctor --self-test` on Linux: green where all arrives, and red for the right ability where it does not. What is in the way gets nothing. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { inEnglish } from '../../../src/messages/index.js';
import type { DesktopBackend } from '../../../src/native/desktop.js';
import { tryDesktop, type AbilityRow } from '../../../src/native/linux/index.js';
import { Registry, WireConnection } from '../../../src/native/linux/wayland/wire.js';
import { waylandSocket } from '../../../src/native/linux/wayland/display.js';
import { openLinuxDesktop, type LinuxDesktop } from '../../support/linux-desktop.js';
import { openXApplication, type XApplication } from '../../support/x-application.js';

declare module 'x11' {
  interface XClient {
    GrabKeyboard(window: number, ownerEvents: boolean, time: number, pointer: number, keyboard: number, done: XDone): void;
  }
} // prettier-ignore

const { signal } = new AbortController();
let linux: LinuxDesktop;

type Lies = Partial<DesktopBackend>;

const run = (lies: Lies = {}, onRow: (row: AbilityRow) => void = () => {}): Promise<AbilityRow[]> =>
  tryDesktop({ ...linux.desktop, ...lies }, { env: linux.session.env, signal, onRow, limitMs: 10_000, arrivesMs: 500 });

const red = (rows: readonly AbilityRow[]): string[] =>
  rows.filter(({ result }) => result !== 'ok').map(({ ability, result }) => `${ability}: ${result}`);
const failed = (...abilities: string[]): string[] => abilities.map((one) => `${one}: failed`);
const whyOf = (rows: readonly AbilityRow[], ability: string): string => {
  const why = rows.find((row) => row.ability === ability)?.why;
  return why == null ? '' : inEnglish.format(why);
};

const BY_PLACE = ['elements', 'pointer', 'click', 'scroll', 'drag'];
const BY_KEYS = ['keys', 'text', 'release'];

/** What the window is told in other words by another display server. */
const BY_EVENTS = /button|wheel|text/;

/** Each says that it is done, and is not. */
const lies: [string, (real: DesktopBackend) => Lies, string[]][] = [
  ['a window that is not told of', (real) => ({ windows: async (given) => (await real.windows(given)).filter(({ title }) => title !== 'Chaperone self-test') }), ['windows', 'focus', 'picture', ...BY_PLACE, 'place', 'minimise', 'close']],
  ['a picture that is two pixels off', (real) => ({ capture: async (...given) => { const taken = await real.capture(...given); return { ...taken, origin: { x: taken.origin.x + 2, y: taken.origin.y } }; } }), [...BY_PLACE]],
  ['a black picture', (real) => ({ capture: async (...given) => { const taken = await real.capture(...given); return { ...taken, rgb: new Uint8Array(taken.rgb.length) }; } }), ['picture', ...BY_PLACE, 'place', 'minimise']],
  ['a press that goes nowhere', () => ({ performAction: async () => undefined }), ['elements']],
  ['a pointer that stays', () => ({ movePointer: async () => undefined }), ['pointer', 'click', 'scroll', 'drag']],
  ['buttons that go nowhere', () => ({ button: async () => undefined }), ['click', 'drag']],
  ['a middle button that is none', (real) => ({ button: async (name, ...given) => real.button(name === 'middle' ? 'left' : name, ...given) }), ['click']],
  ['a wheel that turns once', (real) => ({ scroll: async (delta, ...given) => real.scroll({ x: 0, y: Math.sign(delta.y) }, ...given) }), ['scroll']],
  ['keys that go nowhere', () => ({ key: async () => undefined }), ['keys', 'release']],
  ['a text that loses its first character', (real) => ({ typeText: async (text, ...given) => real.typeText(text.slice(1), ...given) }), ['text']],
  ['a text that loses what is foreign', (real) => ({ typeText: async (text, ...given) => real.typeText(text.replace('🙂', '?'), ...given) }), ['text']],
  ['keys that are not let go of', () => ({ releaseAll: async () => undefined }), ['release']],
  ['a clipboard that is not written', () => ({ writeClipboard: async () => undefined }), ['clipboard']],
  ['a window that stays', (real) => ({ setWindowFrame: async (id, frame) => ({ ...(await real.windows(signal)).find((one) => one.id === id)?.frame ?? { x: 0, y: 0, width: 0, height: 0 }, ...frame }) }), ['place']],
  ['a window that is not minimised', () => ({ setWindowMinimized: async () => undefined }), ['minimise']],
  ['a window that is not asked to close', () => ({ closeWindow: async () => undefined }), ['close']],
]; // prettier-ignore

describe.each([
  ['X11', false, 1],
  ['sway', true, 1],
  ['sway at one and a half', true, 1.5],
])('on %s', (_name, wayland, scale) => {
  beforeAll(async () => {
    linux = await openLinuxDesktop({ width: 1280, height: 800 }, { wayland, scale });
  });
  afterAll(() => linux.close());

  it('finds everything right where all arrives, and leaves nothing behind', async () => {
    const rows = await run();
    expect(rows.map(({ ability, result, why }) => [ability, result, why])).toEqual(
      rows.map(({ ability }) => [ability, 'ok', null]),
    );
    expect(rows.length).toBe(15);
    expect(await linux.desktop.windows(signal)).toEqual([]);
    expect(await linux.desktop.readClipboard(signal)).toEqual({});
  });

  it.each(lies.filter(([what]) => !wayland || (scale === 1 && BY_EVENTS.test(what))))(
    '%s is red, and nothing else',
    async (_, lie, wanted) => {
      const rows = await run(lie(linux.desktop));
      await linux.desktop.releaseAll();
      expect(red(rows)).toEqual(failed(...wanted));
    },
  );

  it('does not try what would lose a copied text', async () => {
    await linux.desktop.writeClipboard({ text: 'of the person' }, signal);
    const rows = await run();
    expect(red(rows)).toEqual(['clipboard: cannot']);
    expect(await linux.desktop.readClipboard(signal)).toEqual({ text: 'of the person' });
    await linux.desktop.writeClipboard({}, signal);
  });

  it.skipIf(scale !== 1)('sends no key where another window has the focus', async () => {
    const title = 'Of the person';
    const other = await linux.fixture({ title, place: { x: 950, y: 20 } });
    const [theirs] = (await linux.desktop.windows(signal)).filter((one) => one.title === title);
    // A click would give the window the focus after all.
    const rows = await run({
      focusWindow: async () => linux.desktop.focusWindow(theirs?.id ?? '', signal),
      button: async () => undefined,
    });
    const events = (await other.journal()).map(({ event }) => event);
    await other.end();
    expect(red(rows)).toEqual(failed('focus', 'click', 'drag', ...BY_KEYS, ...(wayland ? ['clipboard'] : [])));
    expect(events.filter((event) => /key|text|changed|click|press/.test(event))).toEqual([]);
  });
});

describe('on X11, where something is in the way', () => {
  let other: XApplication;
  const got: string[] = [];
  beforeAll(async () => {
    linux = await openLinuxDesktop({ width: 1280, height: 800 });
  });
  afterEach(() => other.close());
  afterAll(() => linux.close());

  const openOther = async (): Promise<void> => {
    got.length = 0;
    other = await openXApplication(linux.session.env);
    other.x.onEvent(({ name }) => got.push(name));
  };

  it('a window on top of all others gets no click, and no key is lost', async () => {
    await openOther();
    const cover = await other.create(other.x.root, { x: 0, y: 0, width: 1280, height: 800 }, true);
    const [press, release] = [4, 8];
    await other.request((done) => other.x.client.ChangeWindowAttributes(cover, { eventMask: press | release }, done));
    await other.request((done) => other.x.client.MapWindow(cover, done));
    const onTop = setInterval(() => void other.request((done) => other.x.client.ConfigureWindow(cover, { stackMode: 0 }, done)), 5); // prettier-ignore
    const rows = await run().finally(() => clearInterval(onTop));
    expect(red(rows)).toEqual(failed('picture', ...BY_PLACE, 'place', 'minimise'));
    expect(whyOf(rows, 'click')).toContain('something covers it');
    expect(got).not.toContain('ButtonPress');
  });

  it('a program that has grabbed the keyboard gets no key', async () => {
    await openOther();
    const asynchronous = 1;
    await other.request((done) =>
      other.x.client.GrabKeyboard(other.x.root, false, 0, asynchronous, asynchronous, done),
    );
    const rows = await run();
    expect(red(rows)).toEqual(failed(...BY_KEYS));
    expect(whyOf(rows, 'text')).toContain('Another program has taken the keyboard');
    expect(got).not.toContain('KeyPress');
  });
});

describe('on sway, where the screen is locked', () => {
  beforeAll(async () => {
    linux = await openLinuxDesktop({ width: 1280, height: 800 }, { wayland: true });
  });
  afterAll(() => linux.close());

  it('nothing is pressed and no key is sent', async () => {
    const wire = new WireConnection(waylandSocket(linux.session.env) ?? '');
    const registry = await Registry.read(wire);
    const manager = registry.bind('zwlr_input_inhibit_manager_v1', 1);
    wire.send(manager?.id ?? 0, 0, wire.newObject());
    await wire.roundtrip();
    const sent: string[] = [];
    const watched = (name: 'button' | 'key', ...given: unknown[]): void =>
      void sent.push(`${name} ${String(given[0])}`);
    const rows = await run({
      button: async (...given) => (await given[2](), watched('button', ...given), linux.desktop.button(...given)),
      key: async (...given) => (await given[2](), watched('key', ...given), linux.desktop.key(...given)),
    });
    wire.close();
    expect(red(rows)).toEqual(failed('focus', 'pointer', 'click', 'scroll', 'drag', ...BY_KEYS, 'clipboard'));
    expect(sent).toEqual([]);
  });
});

describe('on GNOME', () => {
  beforeAll(async () => {
    linux = await openLinuxDesktop({ width: 1280, height: 800 }, { wayland: 'gnome' });
  });
  afterAll(() => linux.close());

  it('finds everything right, but for text that the layout lacks in a window without an input method', async () => {
    const rows = await run();
    expect(red(rows)).toEqual(['text: cannot']);
    expect(whyOf(rows, 'text')).toContain('The keyboard layout has no "ü"');
    expect(rows.length).toBe(15);
  });
});
