/** A real GTK field with text, with its caret and without: the same to the comparison before an act. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cropCapture } from '../../../src/main/pipeline/capture.js';
import { fingerprintPixels, samePixels } from '../../../src/main/approvals/pixels.js';
import type { PixelFingerprint } from '../../../src/main/approvals/plan.js';
import { type FixtureApp, type LinuxDesktop, openLinuxDesktop } from '../../support/linux-desktop.js';

const signal = new AbortController().signal;
const LIMITS = { maxDepth: 50, maxNodes: 1000, timeoutMs: 5000 };
let linux: LinuxDesktop;
let app: FixtureApp;

beforeAll(async () => {
  linux = await openLinuxDesktop();
  app = await linux.fixture({ title: 'Caret' });
});
afterAll(() => linux.close());

it.each(['Ada Lovelace', 'Grüße 你好', 'Maria'])('[req:DS-4-12] of “%s”', async (text) => {
  const { desktop } = linux;
  const { id: windowId } = await linux.window((window) => window.app.pid === app.pid);
  const { elements } = await desktop.find({ pid: app.pid }, { role: 'AXTextField' }, 9, LIMITS, signal);
  const name = elements.find(({ title }) => title === 'Name');
  if (name?.frame == null) throw new Error('no field');
  const { frame } = name;
  await expect.poll(async () => (await desktop.focusedElement(signal))?.id).toBe(name.id);
  await desktop.setValue(name.id, text, signal);
  const picture = async () => {
    const part = cropCapture(await desktop.capture({ kind: 'window', windowId }, signal), frame);
    if (part === null) throw new Error('the field is outside its window');
    return fingerprintPixels(part);
  };
  const seen: PixelFingerprint[] = [];
  const blink = async () => {
    seen.push(await picture());
    return blinked(seen) !== null;
  };
  await expect.poll(blink).toBe(true);
  const [one, other] = blinked(seen) ?? [];
  if (one === undefined || other === undefined) throw new Error('no two pictures');
  expect(samePixels(one, other, { overText: true })).toBe(true);
});

/** A picture that came back, and the one between: what is painted once, such as the new text, does not come back. */
function blinked(seen: readonly PixelFingerprint[]): [PixelFingerprint, PixelFingerprint] | null {
  const prints = seen.map((one) => JSON.stringify(one));
  const between = prints.findIndex((print, at) => {
    const before = prints.slice(0, at).filter((one) => one !== print);
    return prints.slice(at).some((one) => before.includes(one));
  });
  const [one, other] = [seen[between - 1], seen[between]];
  return one === undefined || other === undefined ? null : [one, other];
}
