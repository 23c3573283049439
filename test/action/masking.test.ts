import { describe, expect, test } from 'vitest';
import { guardedDesktop } from '../../src/main/action/guarded.js';
import type { Watch } from '../../src/main/action/guarded.js';
import { maskedDesktop } from '../../src/main/action/masked.js';
import { planWindow } from '../../src/main/action/context/plans.js';
import type { Protection } from '../../src/main/action/ports.js';
import type { Rect } from '../../src/native/desktop.js';
import { openSimulated } from '../../src/native/simulated/index.js';

const signal = new AbortController().signal;
const open: Protection = {
  isProtected: () => false,
  cure: () => null,
  hidesDocument: () => false,
  blind: () => false,
};
const limits = { maxDepth: 8, maxNodes: 500, timeoutMs: 10_000 };

function masked(over: { protection?: Partial<Protection>; excluded?: string[] } = {}) {
  const desktop = openSimulated();
  const covered: Rect[][] = [];
  const seen = maskedDesktop(desktop, {
    protection: { ...open, ...over.protection },
    imaging: {
      mask(capture, areas) {
        covered.push(areas);
        return capture;
      },
    },
    excludedApps: () => new Set(over.excluded ?? []),
  });
  return { desktop, seen, covered };
}

describe('the desktop as agents see it', () => {
  test('[req:DS-8-10] has no window, tree or picture of an excluded application', async () => {
    const { desktop, seen, covered } = masked({ excluded: ['Simulated.Mail'] });
    const mail = (await desktop.windows(signal)).find(({ app }) => app.id === 'simulated.mail');
    if (mail === undefined) throw new Error('no mail window');
    expect((await seen.windows(signal)).map(({ app }) => app.id)).not.toContain('simulated.mail');
    await expect(seen.tree({ pid: mail.app.pid }, limits, signal)).rejects.toThrow(/not open to agents/);
    await expect(seen.capture({ kind: 'window', windowId: mail.id }, signal)).rejects.toThrow(/not open to agents/);
    await seen.capture({ kind: 'display' }, signal);
    expect(covered.at(-1)).toContainEqual(mail.frame);
  });

  test('[req:DS-8-10] has no tree of a window of ours, though others of its process are open', async () => {
    const { desktop, seen } = masked({ protection: { isProtected: (window) => window?.title === 'New Message' } });
    const mail = (await desktop.windows(signal)).find(({ title }) => title === 'New Message');
    if (mail === undefined) throw new Error('no mail window');
    const inside = seen.tree({ pid: mail.app.pid, windowId: mail.id }, limits, signal);
    await expect(inside).rejects.toThrow(/not open to agents/);
  });

  test('[req:DS-8-10] covers password fields in every picture', async () => {
    const { desktop, seen, covered } = masked();
    const secure = await desktop.secureAreas(signal);
    expect(secure.length).toBeGreaterThan(0);
    await seen.capture({ kind: 'display' }, signal);
    for (const area of secure) expect(covered.at(-1)).toContainEqual(area);
  });

  test('shows nothing at all while a pairing link is open', async () => {
    const { seen } = masked({ protection: { blind: () => true } });
    for (const look of [
      seen.windows(signal),
      seen.frontmost(signal),
      seen.capture({ kind: 'display' }, signal),
      seen.readClipboard(signal),
    ])
      await expect(look).rejects.toMatchObject({ code: 'DESKTOP_HOST_NOT_READY', details: { reason: 'pairing' } });
  });
});

async function guarded(over: Partial<Watch> = {}) {
  const desktop = openSimulated();
  const windows = await desktop.windows(signal);
  const front = windows.find(({ focused }) => focused);
  const other = windows.find(({ app }) => app.pid !== front?.app.pid);
  if (front === undefined || other === undefined) throw new Error('no two windows');
  const plan = await planWindow(front, { verb: 'Type into', done: 'Typed into' });
  const acting = guardedDesktop(desktop, {
    real: desktop,
    plan,
    protection: open,
    revoked: () => false,
    injecting: () => undefined,
    still: async () => undefined,
    dragging: () => false,
    signal,
    ...over,
  });
  const pressed = () => desktop.world.journal().filter(({ event }) => ['key', 'pointer', 'text'].includes(event));
  return { desktop, acting, front, other, pressed };
}

const free = async () => undefined;

describe('the desktop that a handler acts on', () => {
  test('takes keys in the approved window, and nowhere else', async () => {
    const { desktop, acting, other, pressed } = await guarded();
    await acting.typeText('a', free, signal);
    await desktop.focusWindow(other.id, signal);
    const before = pressed().length;
    await expect(acting.typeText('b', free, signal)).rejects.toMatchObject({ details: { reason: 'focus' } });
    await expect(acting.key('a', true, free, signal)).rejects.toMatchObject({ details: { reason: 'focus' } });
    expect(pressed()).toHaveLength(before);
  });

  test('takes no key where what was approved is in no window', async () => {
    const { acting } = await guarded({ plan: null });
    await expect(acting.typeText('a', free, signal)).rejects.toMatchObject({ details: { reason: 'no_window' } });
  });

  test('takes no button where the pointer was moved away by somebody', async () => {
    const { desktop, acting, front } = await guarded();
    const at = { x: front.frame.x + 50, y: front.frame.y + 60 };
    await acting.movePointer(at, signal);
    await desktop.movePointer({ x: at.x + 30, y: at.y }, signal);
    await expect(acting.button('left', true, free, signal)).rejects.toMatchObject({ details: { reason: 'pointer' } });
  });

  test('takes nothing in a window of ours, by events or by accessibility', async () => {
    const { desktop, acting, front } = await guarded({ protection: { ...open, isProtected: () => true } });
    await acting.movePointer({ x: front.frame.x + 50, y: front.frame.y + 60 }, signal);
    const send = desktop.world.find('send') ?? '';
    const acts = [
      () => acting.typeText('a', free, signal),
      () => acting.button('left', true, free, signal),
      () => acting.scroll({ x: 0, y: 1 }, free, signal),
      () => acting.performAction(send, 'AXPress', signal),
      () => acting.setValue(send, 'x', signal),
      () => acting.focusElement(send, signal),
    ];
    for (const act of acts) await expect(act()).rejects.toMatchObject({ details: { reason: 'protected' } });
  });

  test('takes nothing by accessibility in another process than the approved one', async () => {
    const { desktop, acting } = await guarded();
    const note = desktop.world.find('note') ?? '';
    for (const act of [acting.performAction(note, 'AXPress', signal), acting.setValue(note, 'x', signal)])
      await expect(act).rejects.toMatchObject({ details: { reason: 'process' } });
  });

  test('takes nothing and shows nothing once the approval is taken back', async () => {
    const { desktop, acting } = await guarded({ revoked: () => true });
    const send = desktop.world.find('send') ?? '';
    const acts = [
      () => acting.typeText('a', free, signal),
      () => acting.performAction(send, 'AXPress', signal),
      () => acting.writeClipboard({ text: 'x' }, signal),
      () => acting.capture({ kind: 'display' }, signal),
      () => acting.readClipboard(signal),
    ];
    for (const act of acts) await expect(act()).rejects.toThrow(/took the permission back/);
  });
});
