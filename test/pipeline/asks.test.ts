/** How often one click asks the desktop for the same, from one decision to the next. */
import { expect, test } from 'vitest';
import type { DesktopBackend } from '../../src/native/desktop.js';
import { openSimulated, type SimulatedDesktop } from '../../src/native/simulated/index.js';
import { createTestPipeline } from '../support/pipeline.js';

type Counted = 'windows' | 'ancestors' | 'secureAreas' | 'tree' | 'element' | 'focusedElement';
type Phase = 'planned' | 'compared' | 'acted' | 'verified';

/** Counts what is asked until the person is asked, until the start is on disk, until the act is done, and after it. */
function countingPipeline(whileAsking: (desktop: SimulatedDesktop) => void = () => undefined) {
  const real = openSimulated();
  let phase: Phase = 'planned';
  const counts = new Map<Phase, Map<Counted, number>>();
  const count = (name: Counted) => {
    const own = counts.get(phase) ?? new Map<Counted, number>();
    counts.set(phase, own.set(name, (own.get(name) ?? 0) + 1));
  };
  const desktop: typeof real = {
    ...real,
    windows: (...given) => (count('windows'), real.windows(...given)),
    ancestors: (...given) => (count('ancestors'), real.ancestors(...given)),
    secureAreas: (...given) => (count('secureAreas'), real.secureAreas(...given)),
    tree: (...given) => (count('tree'), real.tree(...given)),
    element: (...given) => (count('element'), real.element(...given)),
    focusedElement: (...given) => (count('focusedElement'), real.focusedElement(...given)),
    windowPaint: async () => ({ generation: 'never painted', unpaintedMs: 1000 }),
    performAction: (...given: Parameters<DesktopBackend['performAction']>) =>
      real.performAction(...given).finally(() => (phase = 'verified')),
  };
  const pipeline = createTestPipeline(undefined, desktop);
  const { recorder, approver } = pipeline.deps;
  pipeline.deps.approver = {
    ...approver,
    decide: async (...given) =>
      approver.decide(...given).finally(() => {
        whileAsking(real);
        phase = 'compared';
      }),
  };
  pipeline.deps.recorder = {
    ...recorder,
    async begin(start) {
      const evidence = await recorder.begin(start);
      return { ...evidence, started: () => evidence.started().finally(() => (phase = 'acted')) };
    },
  };
  /** How often in these phases together. */
  const asked = (name: Counted, ...of: Phase[]) => of.reduce((sum, one) => sum + (counts.get(one)?.get(name) ?? 0), 0);
  return { pipeline, asked, world: real.world };
}

test('[req:OA-1] a click reads the ancestors of its target once for each plan, and again after the person was asked', async () => {
  const { pipeline, asked } = countingPipeline();
  await pipeline.run('click_element', { title: 'Send', role: 'AXButton', parent: 'simulated.mail' });
  expect(asked('ancestors', 'planned')).toBe(1);
  expect(asked('ancestors', 'compared')).toBe(1);
  expect(asked('ancestors', 'acted')).toBe(0);
});

test('[req:OA-1] what must be covered is asked for before and after a picture, and once for a picture that is used again', async () => {
  const { pipeline, asked } = countingPipeline();
  await pipeline.run('click_element', { title: 'Send', role: 'AXButton', parent: 'simulated.mail' });
  expect(asked('secureAreas', 'planned')).toBe(2);
  // One picture that is new, because the person may have thought for hours, and the same once more for the evidence and for the verification.
  expect(asked('secureAreas', 'compared', 'acted')).toBe(4);
});

test('[req:OA-1] a click asks for the windows with each reading that they mask, and no more', async () => {
  const { pipeline, asked } = countingPipeline();
  await pipeline.run('click_element', { title: 'Send', role: 'AXButton', parent: 'simulated.mail' });
  expect(asked('windows', 'planned')).toBe(15);
  // The last of them may come once the start is on disk.
  expect(asked('windows', 'compared', 'acted')).toBe(17);
});

test('[req:OA-2] a key reads the focus once for its plan and once after the person was asked, and again where the focus was restored', async () => {
  const still = countingPipeline();
  still.world.person.focus(still.world.find('subject') ?? '');
  await still.pipeline.run('press_key', { key: 'a' });
  expect(still.asked('focusedElement', 'planned')).toBe(1);
  expect(still.asked('focusedElement', 'compared')).toBe(1);
  const moved = countingPipeline(({ world }) => world.person.focus(world.find('body') ?? ''));
  moved.world.person.focus(moved.world.find('subject') ?? '');
  await moved.pipeline.run('press_key', { key: 'a' });
  expect(moved.asked('focusedElement', 'compared')).toBe(2);
});

test('[req:PL-4] an act in a window with too many windows in it is asked about each time', async () => {
  const real = openSimulated();
  const full = async (signal: AbortSignal) =>
    (await real.windows(signal)).map((window) => ({ ...window, crowded: true as const }));
  for (const [windows, alwaysAsk] of [
    [real.windows, false],
    [full, true],
  ] as const) {
    const pipeline = createTestPipeline(undefined, { ...real, windows });
    await pipeline.run('click_element', { element_id: await pipeline.refer('copy') });
    expect(pipeline.asked[0]).toMatchObject({ alwaysAsk });
  }
});
