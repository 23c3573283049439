import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Verification } from '../../../src/main/pipeline/action.js';
import { planElement } from '../../../src/main/pipeline/target/plans.js';
import { createCallTiming } from '../../../src/main/pipeline/call-clock.js';
import { verifyEffect, type LookUntilOver } from '../../../src/main/pipeline/verify/effect.js';
import { NO_OWN_CHANGES } from '../../../src/main/pipeline/verify/own-changes.js';
import type { DesktopReader, Element } from '../../../src/native/desktop.js';
import { openSimulated } from '../../../src/native/simulated/index.js';
import { CLICK } from '../../support/titles.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const never = new AbortController().signal;
const NOTHING_SO_FAR = { effect: 'unverified', before: [], after: [] };
const NO_CHANGE = { effect: 'no_change', before: [], after: [] };
const UNREAD = { effect: 'unverified', before: null, after: null };

interface Application {
  /** Milliseconds until the input is read; null: the system cannot tell; Infinity: never. */
  readsAfter: number | null;
  /** Milliseconds until a box gets its mark; Infinity: never. */
  changesAfter?: number;
  /** Whether the change is painted. */
  paints?: boolean;
  restless?: 'works' | 'paints' | undefined;
  mustKnow?: boolean;
  /** Milliseconds until it paints once, and shows the same as before. */
  paintsAt?: number;
  /** Milliseconds until a caret moves. */
  caretAfter?: number;
  inPage?: boolean;
  /** A field is read back; it holds what was typed after so many milliseconds. */
  field?: { holdsAfter: number };
}

const after = (ms: number): Promise<void> =>
  ms === Infinity ? new Promise(() => undefined) : new Promise((resolve) => setTimeout(resolve, ms));

/** What is told of an act on an application like this, and when. */
async function told(application: Application) {
  const {
    readsAfter,
    changesAfter = Infinity,
    paints = true,
    restless,
    mustKnow = false,
    paintsAt = Infinity,
  } = application;
  const real = openSimulated();
  const box = await real.element(real.world.find('copy') ?? '', never);
  let began = Infinity;
  let shown = 0;
  let painted: () => void = () => undefined;
  const changed = new Promise<void>((resolve) => (painted = resolve));
  const left = (ms: number) => (performance.now() - began < ms ? began + ms - performance.now() : Infinity);
  const paintNow = () => {
    const now = performance.now();
    if (restless === 'paints') shown += 1;
    const paintedAt = restless === 'paints' ? now - 5 : now - began >= paintsAt ? began + paintsAt : -Infinity;
    return { generation: `${shown} ${paintedAt}`, unpaintedMs: now - paintedAt };
  };
  const desktop: DesktopReader = {
    ...real,
    async untilApplication(_id, state) {
      if (readsAfter === null) return null;
      await after(state === 'read' ? readsAfter : restless === 'works' ? Infinity : 10);
      return true;
    },
    async tree(scope, limits, signal) {
      const tree = await real.tree(scope, limits, signal);
      const from = performance.now() - began >= (application.caretAfter ?? Infinity) ? 1 : 0;
      const withCaret = (element: Element): Element =>
        element.role === 'AXTextField' && element.title === 'Subject'
          ? { ...element, value: 'text', selection: { from, to: from } }
          : element;
      return { ...tree, nodes: tree.nodes.map((node) => ({ ...node, element: withCaret(node.element) })) };
    },
    async windowPaint(_id, generation) {
      const paint = paintNow();
      if (generation === paint.generation)
        await Promise.race([changed, after(restless === 'paints' ? 5 : left(paintsAt))]);
      return paintNow();
    },
  };
  const planned = await planElement(desktop, box, { title: CLICK }, never);
  const documentUrl = application.inPage === true ? 'https://example.org/' : null;
  const plan = { ...planned, window: planned.window && { ...planned.window, documentUrl } };
  const act = async () => {
    began = performance.now();
    if (changesAfter === Infinity) return;
    setTimeout(() => {
      real.world.person.press(box.id);
      if (!paints) return;
      shown += 1;
      painted();
    }, changesAfter);
  };
  let answer: unknown = null;
  let ms = 0;
  const context = { desktop, plan, timing: createCallTiming(), ownChanges: NO_OWN_CHANGES, mustKnow };
  const readBack = async (lookUntilOver: LookUntilOver): Promise<Verification | null> => {
    const holdsAfter = application.field?.holdsAfter;
    if (holdsAfter === undefined) return null;
    const look = async () => (performance.now() - began >= holdsAfter ? 'held' : null);
    const { seen, soon } = await lookUntilOver(look, 800, async () => false);
    return { effect: seen !== null ? 'confirmed' : soon ? 'unverified' : 'no_change', before: null, after: null };
  };
  const work = verifyEffect(context, act, never, readBack).then((verified) => {
    answer = verified;
    ms = performance.now() - began;
  });
  while (answer === null) {
    await vi.advanceTimersByTimeAsync(1);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await work;
  await real.close();
  return { answer, ms };
}

test('[req:WE-4] that nothing changed is said only after it was looked for over 700 ms', async () => {
  const { answer, ms } = await told({ readsAfter: null });
  expect(answer).toEqual(NO_CHANGE);
  expect(ms).toBeGreaterThanOrEqual(700);
});

test('[req:WE-5] where the application read its input, rests and paints nothing, that is told soon, and is no “no_change”', async () => {
  const { answer, ms } = await told({ readsAfter: 5 });
  expect(answer).toEqual(NOTHING_SO_FAR);
  expect(ms).toBeGreaterThanOrEqual(5 + 33);
  expect(ms).toBeLessThan(60);
});

const applications = fc.record({
  readsAfter: fc.integer({ min: 0, max: 40 }),
  changesAfter: fc.constantFrom(100, 300, 600),
  paints: fc.boolean(),
  restless: fc.constantFrom(undefined, undefined, 'works' as const),
});

test('[req:WE-5] whatever comes later, and whenever the input is read: nobody is told that nothing changed', async () => {
  const check = async (application: Application) => {
    expect((await told(application)).answer).not.toMatchObject({ effect: 'no_change' });
    expect((await told({ ...application, mustKnow: true })).answer).toMatchObject({ effect: 'confirmed' });
  };
  await fc.assert(fc.asyncProperty(applications, check), { numRuns: 10 });
});

test('[req:WE-5] who must know whether nothing changed waits for the whole time, counted from when the input was read', async () => {
  const { answer, ms } = await told({ readsAfter: 300, mustKnow: true });
  expect(answer).toEqual(NO_CHANGE);
  expect(ms).toBeGreaterThanOrEqual(1000);
});

test.each([true, false])(
  '[req:WE-5] an application that does not read its input may change yet (must know: %s)',
  async (mustKnow) => {
    expect((await told({ readsAfter: Infinity, mustKnow })).answer).toEqual(UNREAD);
  },
);

test.each(['works', 'paints'] as const)(
  '[req:WE-5] while an application %s, the whole time is waited',
  async (restless) => {
    const { answer, ms } = await told({ readsAfter: 5, restless });
    expect(answer).toEqual(NOTHING_SO_FAR);
    expect(ms).toBeGreaterThanOrEqual(700);
  },
);

test('[req:WE-5] what was looked at before the input was read does not count: a change that nothing paints is still seen', async () => {
  const { answer } = await told({ readsAfter: 20, changesAfter: 18, paints: false });
  expect(answer).toMatchObject({ effect: 'confirmed' });
});

test('[req:WE-5] two frames are counted from the last paint, also where it shows the same as before', async () => {
  const { answer, ms } = await told({ readsAfter: 5, paintsAt: 30 });
  expect(answer).toEqual(NOTHING_SO_FAR);
  expect(ms).toBeGreaterThanOrEqual(30 + 33);
  expect(ms).toBeLessThan(130);
});

test('[req:WE-7] a caret that moved is told once the application rests; a page may still tell more', async () => {
  const moved = { effect: 'confirmed', after: [expect.stringMatching(/^caret in .* at 1$/)] };
  const { answer, ms } = await told({ readsAfter: 5, caretAfter: 3 });
  expect(answer).toMatchObject(moved);
  expect(ms).toBeLessThan(60);
  const page = await told({ readsAfter: 5, caretAfter: 3, inPage: true });
  expect(page.answer).toMatchObject(moved);
  expect(page.ms).toBeGreaterThanOrEqual(150);
  // Browsers tell of it some time after its paint.
  expect((await told({ readsAfter: 5, caretAfter: 120, inPage: true })).answer).toMatchObject(moved);
});

describe('a field that is read back', () => {
  const typed = (inPage: boolean, holdsAfter: number, more: Partial<Application> = {}) =>
    told({ readsAfter: 5, inPage, field: { holdsAfter }, ...more });
  const effect = (name: string) => ({ effect: name, before: null, after: null });

  test('[req:WE-6] that makes something else of the text is unverified two frames after the input was read, whatever is painted', async () => {
    for (const more of [{}, { restless: 'paints' as const }, { restless: 'works' as const }]) {
      const { answer, ms } = await typed(false, Infinity, more);
      expect(answer).toEqual(effect('unverified'));
      expect(ms).toBeGreaterThanOrEqual(5 + 33);
      expect(ms).toBeLessThan(60);
    }
  });

  test('[req:WE-6] in a page gets the time in which browsers tell accessibility of it', async () => {
    expect((await typed(true, 200)).answer).toEqual(effect('confirmed'));
    const { answer, ms } = await typed(true, Infinity);
    expect(answer).toEqual(effect('unverified'));
    expect(ms).toBeLessThan(400);
  });

  test('[req:WE-6] is said not to have changed only after the whole time', async () => {
    for (const more of [{ mustKnow: true }, { readsAfter: Infinity }]) {
      const { answer, ms } = await typed(false, Infinity, more);
      expect(answer).toEqual(effect('no_change'));
      expect(ms).toBeGreaterThanOrEqual(800);
    }
    expect((await typed(false, 600, { mustKnow: true })).answer).toEqual(effect('confirmed'));
  });
});
