/** What must be hidden can come, go and move while the desktop is read: it is asked for before a reading and after it. */
import { expect, test } from 'vitest';
import { fillAreas } from '../../src/main/evidence/imaging.js';
import { cropCapture } from '../../src/main/pipeline/capture.js';
import { createKeptPicture, maskedReader } from '../../src/main/pipeline/masked.js';
import type { Capture, DesktopBackend, DesktopReader, Rect } from '../../src/native/desktop.js';
import { openSimulated, type ElementSpec, type WindowSpec } from '../../src/native/simulated/index.js';

const signal = new AbortController().signal;
const limits = { maxDepth: 8, maxNodes: 500, timeoutMs: 10_000 };
const OURS = 'Chaperone';
const BUTTON: ElementSpec = {
  role: 'AXButton',
  title: 'Allow',
  identifier: 'allow',
  frame: { x: 10, y: 10, width: 90, height: 30 },
};

/** A masked desktop; `during` runs once, in the middle of the first such reading. */
function reading(method: 'capture' | 'tree' | 'find', during: () => void, fill?: typeof fillAreas) {
  const desktop = openSimulated();
  const covered: Rect[][] = [];
  let done = false;
  const once = () => {
    if (!done) during();
    done = true;
  };
  const slow: Pick<DesktopBackend, 'capture' | 'tree' | 'find'> = {
    async capture(...given) {
      if (method !== 'capture') return desktop.capture(...given);
      const found = await desktop.capture(...given);
      once();
      return found;
    },
    async tree(...given) {
      if (method !== 'tree') return desktop.tree(...given);
      once();
      return desktop.tree(...given);
    },
    async find(...given) {
      if (method !== 'find') return desktop.find(...given);
      once();
      return desktop.find(...given);
    },
  };
  const mask = {
    protection: {
      isProtected: (window: { title: string } | null) => window?.title === OURS,
      hintFor: () => null,
      hidesDocument: () => false,
      isPairingLinkOpen: () => false,
    },
    imaging: {
      mask(capture: Capture, areas: Rect[]): Capture {
        covered.push(areas);
        return fill === undefined ? capture : fill(capture, areas);
      },
    },
    excludedApps: () => new Set<string>(),
  };
  const seen = maskedReader({ ...desktop, ...slow }, mask, createKeptPicture());
  return { desktop, seen, covered };
}

async function mailOf(desktop: DesktopReader) {
  const found = (await desktop.windows(signal)).find(({ title }) => title === 'New Message');
  if (found === undefined) throw new Error('no mail window');
  return found;
}

const shownIn = (picture: Capture, area: Rect) => new Set(cropCapture(picture, area)?.rgb);

const FRAME = { x: 1400, y: 700, width: 300, height: 300 };
const ours: WindowSpec = { title: OURS, frame: FRAME, elements: [BUTTON] };

test('[req:DS-8-10] a window of ours that appears while a tree is read is not in it', async () => {
  const scene = reading('tree', () => scene.desktop.world.addWindow(pid, ours));
  const { pid } = (await mailOf(scene.desktop)).app;
  const { nodes } = await scene.seen.tree({ pid }, limits, signal);
  expect(nodes.map(({ element }) => element.title)).not.toContain('Allow');
  expect(nodes.length).toBeGreaterThan(1);
  const all = await scene.desktop.tree({ pid }, limits, signal);
  expect(all.nodes.map(({ element }) => element.title)).toContain('Allow');
});

test('[req:DS-8-10] a window of ours that goes while a tree is read is not in it either', async () => {
  let goes = '';
  const scene = reading('tree', () => scene.desktop.world.retitleWindow(goes, 'Another'));
  const { pid } = (await mailOf(scene.desktop)).app;
  goes = scene.desktop.world.addWindow(pid, ours);
  const { nodes } = await scene.seen.tree({ pid }, limits, signal);
  expect(nodes.map(({ element }) => element.title)).not.toContain('Allow');
});

test('[req:DS-8-10] a window of ours that appears while elements are looked for is not found', async () => {
  const scene = reading('find', () => scene.desktop.world.addWindow(pid, ours));
  const { pid } = (await mailOf(scene.desktop)).app;
  expect(await scene.seen.find({ pid }, { titleContains: 'Allow' }, 9, limits, signal)).toMatchObject({
    elements: [],
    matched: 0,
  });
  expect((await scene.desktop.find({ pid }, { titleContains: 'Allow' }, 9, limits, signal)).matched).toBe(1);
});

test('[req:DS-8-10] what must be hidden and appears while a picture is taken is covered in it', async () => {
  const scene = reading('capture', () => {
    scene.desktop.world.addWindow(pid, ours);
    scene.desktop.world.setSecure(subject, true);
  });
  const { pid } = (await mailOf(scene.desktop)).app;
  const subject = scene.desktop.world.find('subject') ?? '';
  await scene.seen.capture({ kind: 'display' }, signal);
  const { frame } = await scene.desktop.element(subject, signal);
  expect(scene.covered).toHaveLength(1);
  expect(scene.covered[0]).toContainEqual(FRAME);
  expect(scene.covered[0]).toContainEqual(frame);
});

test('[req:DS-8-10] a picture that is encoded ahead is another one where more must be hidden by its end', async () => {
  const scene = reading('capture', () => scene.desktop.world.addWindow(pid, ours), fillAreas);
  const { pid } = (await mailOf(scene.desktop)).app;
  const begun: Capture[] = [];
  const take = () => scene.seen.capture({ kind: 'display' }, signal, (picture) => void begun.push(picture));
  const late = await take();
  expect(late).not.toBe(begun[0]);
  expect(shownIn(late, FRAME)).toEqual(new Set([0x30]));
  const again = await take();
  expect(again).toBe(begun[1]);
  expect(shownIn(again, FRAME)).toEqual(new Set([0x30]));
});

test('[req:DS-8-10] what must be hidden and goes while a picture is taken is covered in it', async () => {
  let goes = '';
  const scene = reading('capture', () => {
    scene.desktop.world.removeWindow(goes);
    scene.desktop.world.setSecure(subject, false);
  });
  goes = scene.desktop.world.addWindow((await mailOf(scene.desktop)).app.pid, ours);
  const subject = scene.desktop.world.find('subject') ?? '';
  scene.desktop.world.setSecure(subject, true);
  await scene.seen.capture({ kind: 'display' }, signal);
  const { frame } = await scene.desktop.element(subject, signal);
  expect(scene.covered[0]).toContainEqual(FRAME);
  expect(scene.covered[0]).toContainEqual(frame);
});

test('[req:DS-8-10] no picture of a window is given that became one of ours while it was taken', async () => {
  let id = '';
  const scene = reading('capture', () => scene.desktop.world.retitleWindow(id, OURS));
  id = (await mailOf(scene.desktop)).id;
  await expect(scene.seen.capture({ kind: 'window', windowId: id }, signal)).rejects.toThrow(/not open to agents/);
});
