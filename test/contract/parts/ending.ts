import { formatEnglish } from '../../../src/messages/index.js';
import { expect, it } from 'vitest';
import type { DesktopBackend } from '../../../src/native/desktop.js';
import { LIMITS, PLAIN, codeOf, free, until, type Bench } from '../bench.js';

/** Every call that takes a signal, on the first application. */
const CALLS: [string, (desktop: DesktopBackend, pid: number, signal: AbortSignal) => Promise<unknown>][] = [
  ['permissions', (desktop, _, signal) => desktop.permissions(signal)],
  ['displays', (desktop, _, signal) => desktop.displays(signal)],
  ['apps', (desktop, _, signal) => desktop.apps(signal)],
  ['windows', (desktop, _, signal) => desktop.windows(signal)],
  ['frontmost', (desktop, _, signal) => desktop.frontmost(signal)],
  ['tree', (desktop, pid, signal) => desktop.tree({ pid }, LIMITS, signal)],
  ['find', (desktop, pid, signal) => desktop.find({ pid }, {}, 1, LIMITS, signal)],
  ['element', (desktop, _, signal) => desktop.element('any', signal)],
  ['ancestors', (desktop, _, signal) => desktop.ancestors('any', signal)],
  ['elementAt', (desktop, _, signal) => desktop.elementAt({ x: 5, y: 5 }, signal)],
  ['windowAt', (desktop, _, signal) => desktop.windowAt({ x: 5, y: 5 }, signal)],
  ['focusedElement', (desktop, _, signal) => desktop.focusedElement(signal)],
  ['capture', (desktop, _, signal) => desktop.capture({ kind: 'display' }, signal)],
  ['windowPaint', (desktop, _, signal) => desktop.windowPaint('0x1', null, signal)],
  ['untilApplication', (desktop, _, signal) => desktop.untilApplication('0x1', 'read', signal)],
  ['secureAreas', (desktop, _, signal) => desktop.secureAreas(signal)],
  ['performAction', (desktop, _, signal) => desktop.performAction('any', 'AXPress', signal)],
  ['setValue', (desktop, _, signal) => desktop.setValue('any', 'x', signal)],
  ['insertText', (desktop, _, signal) => desktop.insertText('any', 'x', signal)],
  ['scrollerOf', (desktop, _, signal) => desktop.scrollerOf('any', signal)],
  ['scrollIntoView', (desktop, _, signal) => desktop.scrollIntoView('any', signal)],
  ['focusElement', (desktop, _, signal) => desktop.focusElement('any', signal)],
  ['focusWindow', (desktop, _, signal) => desktop.focusWindow('any', signal)],
  ['setWindowFrame', (desktop, _, signal) => desktop.setWindowFrame('any', { x: 1 }, signal)],
  ['setWindowMinimized', (desktop, _, signal) => desktop.setWindowMinimized('any', true, signal)],
  ['closeWindow', (desktop, _, signal) => desktop.closeWindow('any', signal)],
  ['launch', (desktop, _, signal) => desktop.launch('no application is called this', PLAIN, signal)],
  ['pointer', (desktop, _, signal) => desktop.pointer(signal)],
  ['movePointer', (desktop, _, signal) => desktop.movePointer({ x: 9, y: 9 }, signal)],
  ['button', (desktop, _, signal) => desktop.button('left', true, free, signal)],
  ['scroll', (desktop, _, signal) => desktop.scroll({ x: 0, y: 3 }, free, signal)],
  ['key', (desktop, _, signal) => desktop.key('q', true, free, signal)],
  ['typeText', (desktop, _, signal) => desktop.typeText('q', free, signal)],
  ['paste', (desktop, pid, signal) => desktop.paste('q', pid, free, signal)],
  ['readClipboard', (desktop, _, signal) => desktop.readClipboard(signal)],
  ['writeClipboard', (desktop, _, signal) => desktop.writeClipboard({ text: 'q' }, signal)],
];

export function aborting(bench: () => Bench): void {
  it.each(CALLS)('%s does nothing once its signal has fired, and rejects with the reason', async (_, call) => {
    const { desktop, apps, signal } = bench();
    await desktop.writeClipboard({ text: 'before' }, signal);
    const entries = (await apps.journal()).length;
    const reason = new Error('given up');
    await expect(call(desktop, apps.pid, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect((await desktop.readClipboard(signal)).text).toBe('before');
    expect(await apps.journal()).toHaveLength(entries);
  });

  it('leaves nothing behind from calls that were aborted', async () => {
    const { desktop, apps, settled, journal } = bench();
    for (const [, call] of CALLS) await expect(call(desktop, apps.pid, AbortSignal.abort())).rejects.toThrow();
    await settled();
    expect(await journal('entry', 'changed')).toEqual([]);
    expect(await journal('send', 'pointer')).toEqual([]);
  });
}

export function ending(bench: () => Bench): void {
  it('tells listeners once when the display is gone, and every later call', async () => {
    const { desktop, fixture, apps, signal } = bench();
    if (fixture.lose === null) return;
    const reasons: string[] = [];
    desktop.onLost((reason) => reasons.push(formatEnglish(reason)));
    const stop = desktop.onLost(() => reasons.push('not removed'));
    stop();
    await fixture.lose();
    await until(() => Promise.resolve(expect(reasons).toHaveLength(1)));
    expect(reasons[0]).not.toBe('');
    expect(await codeOf(desktop.displays(signal))).toBe('lost');
    expect(await codeOf(desktop.typeText('x', free, signal))).toBe('lost');
    expect(await codeOf(desktop.tree({ pid: apps.pid }, LIMITS, signal))).not.toBe('no error');
    expect(reasons).toHaveLength(1);
    await desktop.releaseAll();
  });

  it('closes, more than once, and does nothing afterwards', async () => {
    const { desktop, signal } = bench();
    await desktop.close();
    await desktop.close();
    await desktop.releaseAll();
    expect(await codeOf(desktop.displays(signal))).toBe('lost');
    expect(await codeOf(desktop.key('a', true, free, signal))).toBe('lost');
    expect(await codeOf(desktop.readClipboard(signal))).toBe('lost');
  });
}
