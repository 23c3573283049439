/** One picture of a window serves fingerprint, comparison and evidence, for as long as the window is not painted. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createKeptPicture, captureAhead, maskedReader } from '../../src/main/pipeline/masked.js';
import { createImaging } from '../../src/main/evidence/index.js';
import type { Decision } from '../../src/main/approvals/request.js';
import type { Capture, DesktopReader } from '../../src/native/desktop.js';
import { openSimulated } from '../../src/native/simulated/index.js';
import { createTestPipeline, failure } from '../support/pipeline.js';

/** The person saw a picture of an earlier call like this one, so the pixels are compared. */
const KEPT: Decision = {
  kind: 'allowed',
  by: 'person',
  approvalId: 'a',
  grantId: null,
  where: 'page',
  at: '2026-01-01T00:00:00Z',
  waitedMs: 0,
};
const signal = new AbortController().signal;
const MAIL_POINT = { x: 300, y: 300 };

/** A desktop that says when it is painted: whenever `painted` is called. Counts the pictures of windows. */
function paintedDesktop() {
  const real = openSimulated();
  const state = { generation: 1, pictures: 0, displays: 0, unpaintedMs: 50 };
  const capture: DesktopReader['capture'] = (target, stop) => {
    if (target.kind === 'window') state.pictures += 1;
    else if (target.kind === 'display') state.displays += 1;
    return real.capture(target, stop);
  };
  const windowPaint: DesktopReader['windowPaint'] = async (id) => {
    const { frame } = (await real.windows(signal)).find((window) => window.id === id) ?? {};
    return { generation: `${state.generation} ${JSON.stringify(frame)}`, unpaintedMs: state.unpaintedMs };
  };
  return { desktop: { ...real, capture, windowPaint }, state, painted: () => void (state.generation += 1) };
}

/** A pipeline that asks nobody. `whileDeciding` runs between the picture and the comparison. */
function unaskedPipeline(desktop: ReturnType<typeof paintedDesktop>['desktop'], whileDeciding: () => void = () => {}) {
  const pipeline = createTestPipeline(undefined, desktop);
  pipeline.deps.approver = {
    ...pipeline.deps.approver,
    decide: async (request) => {
      await request.drawPicture?.();
      whileDeciding();
      return KEPT;
    },
  };
  return pipeline;
}

test('one picture serves the plan, the comparison, the evidence and the verification of an act', async () => {
  const { desktop, state } = paintedDesktop();
  const pipeline = unaskedPipeline(desktop);
  const { recorder } = pipeline.deps;
  let before = 0;
  pipeline.deps.recorder = {
    ...recorder,
    async begin(start) {
      const evidence = await recorder.begin(start);
      return { ...evidence, started: async () => void (before = state.pictures) };
    },
  };
  await pipeline.run('click', MAIL_POINT);
  expect(pipeline.records[0]?.files).toEqual(['before.png', 'after.png']);
  expect(before).toBe(1);
});

test('[req:PI-1] a picture is not used again once the window was painted: what is there now is compared', async () => {
  const { desktop, painted } = paintedDesktop();
  const { world } = desktop;
  const pipeline = unaskedPipeline(desktop, () => {
    world.change(world.find('body') ?? '', { value: `${'Delete everything '.repeat(8)}\n`.repeat(30) });
    painted();
  });
  const error = await failure(pipeline.run('click', MAIL_POINT));
  expect(error.code).toBe('DESKTOP_TARGET_CHANGED');
  expect(world.journal().filter(({ event }) => event === 'pointer')).toEqual([]);
});

test('[req:PI-1] a picture is not used again once the window was moved', async () => {
  const { desktop, state } = paintedDesktop();
  const reader = readerOf(desktop);
  const { id, frame } = await mailOf(desktop);
  const first = await reader.capture({ kind: 'window', windowId: id }, signal);
  desktop.world.moveWindow(id, { x: frame.x + 40 });
  const next = await reader.capture({ kind: 'window', windowId: id }, signal);
  expect([first.origin.x, next.origin.x]).toEqual([frame.x, frame.x + 40]);
  expect(state.pictures).toBe(2);
});

test('[req:PI-1] a picture is used for its own window only, and not where nothing is known of paints', async () => {
  const { desktop, state } = paintedDesktop();
  const reader = readerOf(desktop);
  const windows = (await desktop.windows(signal)).slice(0, 2);
  const seen = new Set<string>();
  for (const { id } of windows) seen.add(digestOf(await reader.capture({ kind: 'window', windowId: id }, signal)));
  expect([seen.size, state.pictures]).toEqual([2, 2]);
  const blind = readerOf({ ...desktop, windowPaint: async () => null });
  const { id } = await mailOf(desktop);
  for (let look = 0; look < 2; look += 1) await blind.capture({ kind: 'window', windowId: id }, signal);
  expect(state.pictures).toBe(4);
});

test('[req:PI-2] what must be covered by now is covered in a picture that is used again', async () => {
  const { desktop, state } = paintedDesktop();
  const reader = readerOf(desktop);
  const { id } = await mailOf(desktop);
  const subject = desktop.world.find('subject') ?? '';
  const open = await reader.capture({ kind: 'window', windowId: id }, signal);
  desktop.world.setSecure(subject, true);
  const covered = await reader.capture({ kind: 'window', windowId: id }, signal);
  expect(state.pictures).toBe(1);
  const { frame } = await desktop.element(subject, signal);
  if (frame === null) throw new Error('no frame');
  const at =
    (Math.round(frame.y - covered.origin.y + 5) * covered.width + Math.round(frame.x - covered.origin.x + 5)) * 3;
  expect([...covered.rgb.subarray(at, at + 3)]).toEqual([0x30, 0x30, 0x30]);
  expect(digestOf(covered)).not.toBe(digestOf(open));
  // What was covered once stays covered, although the window was not painted since.
  desktop.world.setSecure(subject, false);
  expect(digestOf(await reader.capture({ kind: 'window', windowId: id }, signal))).toBe(digestOf(covered));
});

test('[req:PI-2] what must be covered before a picture is taken ahead stays covered in it, and what must be by now is too', async () => {
  const { desktop, state } = paintedDesktop();
  const kept = createKeptPicture();
  const mask = { imaging: createImaging(), excludedApps: () => new Set<string>(), protection: OPEN };
  const { id } = await mailOf(desktop);
  const [first, second] = ['subject', 'body'].map((name) => desktop.world.find(name) ?? '');
  const colourIn = async (picture: Capture, field = '') => {
    const { frame } = await desktop.element(field, signal);
    if (frame === null) throw new Error('no frame');
    const row = Math.round(frame.y - picture.origin.y + 5);
    const at = (row * picture.width + Math.round(frame.x - picture.origin.x + 5)) * 3;
    return [...picture.rgb.subarray(at, at + 3)];
  };
  desktop.world.setSecure(first ?? '', true);
  await captureAhead(desktop, mask, kept, id, signal);
  desktop.world.setSecure(first ?? '', false);
  desktop.world.setSecure(second ?? '', true);
  const given = await maskedReader(desktop, mask, kept).capture({ kind: 'window', windowId: id }, signal);
  expect(state.pictures).toBe(1);
  expect(await colourIn(given, first)).toEqual([0x30, 0x30, 0x30]);
  expect(await colourIn(given, second)).toEqual([0x30, 0x30, 0x30]);
});

test('a screen that an agent may see is captured for the agent only; a person who is asked sees it first', async () => {
  const { desktop, state } = paintedDesktop();
  const unasked = unaskedPipeline(desktop);
  await unasked.run('capture_screenshot', {});
  expect(state.displays).toBe(1);
  const pipeline = createTestPipeline(undefined, desktop);
  await pipeline.run('capture_screenshot', {});
  expect(pipeline.asked[0]).toMatchObject({ picture: { mimeType: 'image/webp' }, fullView: expect.anything() });
});

/** A pipeline whose policy allows everything. Gives the number of pictures when it decided. */
function allowingPipeline({ desktop, state }: ReturnType<typeof paintedDesktop>) {
  const pipeline = createTestPipeline(undefined, desktop);
  const decided = { pictures: NaN };
  pipeline.deps.approver = {
    ...pipeline.deps.approver,
    decide: async () => {
      decided.pictures = state.pictures;
      return { ...KEPT, by: 'policy', approvalId: null };
    },
  };
  return { pipeline, decided };
}

test('[req:PI-3] where nobody is asked, a window at rest is captured for a target without a name only', async () => {
  const scene = paintedDesktop();
  const { pipeline, decided } = allowingPipeline(scene);
  await pipeline.run('click_element', { title: 'Send', role: 'AXButton', parent: 'simulated.mail' });
  expect(decided.pictures).toBe(0);
  expect(pipeline.records[0]?.files).toEqual(['before.png', 'after.png']);
  const taken = scene.state.pictures;
  const { frame } = await mailOf(scene.desktop);
  await pipeline.run('click', { x: frame.x + frame.width - 2, y: frame.y + frame.height - 2 });
  expect(decided.pictures).toBe(taken + 1);
});

test('a picture that a person is asked about is not kept while they think', async () => {
  const { desktop, state } = paintedDesktop();
  let shown = 0;
  const pipeline = createTestPipeline(undefined, desktop);
  const { decide } = pipeline.deps.approver;
  pipeline.deps.approver = {
    ...pipeline.deps.approver,
    decide: async (request, ...given) => {
      const drawn = await request.drawPicture?.();
      shown = state.pictures;
      return decide({ ...request, drawPicture: async () => drawn ?? expect.fail('nothing to draw') }, ...given);
    },
  };
  await pipeline.run('click', MAIL_POINT);
  expect(shown).toBe(1);
  expect(state.pictures).toBeGreaterThan(shown);
});

test('a window that is still being painted is looked at until it rests', async () => {
  const { desktop, state, painted } = paintedDesktop();
  const { world } = desktop;
  const words = ['one', 'two', 'three', 'four', 'five', 'six'];
  const late: DesktopReader['windowPaint'] = async (id, after, stop) => {
    const word = words.shift();
    state.unpaintedMs = word === undefined ? 50 : 0;
    if (word !== undefined) {
      world.change(world.find('body') ?? '', { value: `${word} `.repeat(400) });
      painted();
    }
    return desktop.windowPaint(id, after, stop);
  };
  const pipeline = unaskedPipeline({ ...desktop, windowPaint: late });
  await pipeline.run('click', MAIL_POINT);
  expect(words).toEqual([]);
  expect(world.journal().filter(({ event }) => event === 'pointer').length).toBeGreaterThan(0);
});

function readerOf(desktop: ReturnType<typeof paintedDesktop>['desktop']): DesktopReader {
  const mask = { imaging: createImaging(), excludedApps: () => new Set<string>(), protection: OPEN };
  return maskedReader(desktop, mask, createKeptPicture());
}

const OPEN = {
  isProtected: () => false,
  hintFor: () => null,
  hidesDocument: () => false,
  isPairingLinkOpen: () => false,
};

async function mailOf(desktop: DesktopReader) {
  const found = (await desktop.windows(signal)).find(({ title }) => title === 'New Message');
  if (found === undefined) throw new Error('no mail window');
  return found;
}

const digestOf = ({ rgb }: Capture): string => createHash('sha256').update(rgb).digest('hex');

test('a picture from afterwards is kept as the one from before only where it has the same pixels', async () => {
  const pipeline = createTestPipeline(async () => KEPT);
  const { png } = pipeline.deps.imaging;
  const encoded = new Set<string>();
  const unlike: Capture[] = [];
  pipeline.deps.imaging = {
    ...pipeline.deps.imaging,
    png(capture, same = capture) {
      if (digestOf(capture) !== digestOf(same)) unlike.push(capture);
      encoded.add(digestOf(capture));
      return png(capture, same);
    },
  };
  await pipeline.run('click_element', { element_id: await pipeline.refer('send') });
  expect([encoded.size, unlike]).toEqual([2, []]);
});
