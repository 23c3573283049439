import { CLICK } from '../../support/titles.js';
import { describe, expect, test } from 'vitest';
import { planFocus, planPoint } from '../../../src/main/pipeline/target/plans.js';
import { findPlace } from '../../../src/main/pipeline/target/scope.js';
import { fingerprintPlan } from '../../../src/main/pipeline/capture.js';
import { openSimulated } from '../../../src/native/simulated/index.js';

const signal = new AbortController().signal;
const words = { title: CLICK };
const NOTES = { app: { bundleId: 'simulated.notes' } };

describe('a plan at a point', () => {
  test('[req:DS-6-8] holds the topmost window, the place within it, the element hit and a crop around it', async () => {
    const desktop = openSimulated();
    const at = { x: 500, y: 490 };
    const plan = await planPoint(desktop, at, words, signal);
    expect(plan.window).toMatchObject({ title: 'New Message', app: { id: 'simulated.mail' } });
    expect(plan.target).toMatchObject({
      kind: 'point',
      point: at,
      offset: { x: 440, y: 420 },
      element: { title: 'Send' },
    });
    expect(plan.subject).toMatchObject({ target: 'Send', app: 'Mail', place: 'New Message' });
    expect(plan.look).toEqual({ area: plan.window?.frame, target: { x: 468, y: 458, width: 64, height: 64 } });
    const seen = await fingerprintPlan(desktop, plan, signal);
    expect(seen.plan.pixels?.cells.length).toBeGreaterThan(0);
    expect(seen.capture).toMatchObject({ origin: { x: 60, y: 70 } });
  });

  test('[req:DS-6-8] is for what lies on top there, and never for the bare desktop', async () => {
    const desktop = openSimulated();
    const notes = (await desktop.windows(signal)).find(({ title }) => title === 'Shopping');
    if (notes === undefined) throw new Error('no notes');
    desktop.world.moveWindow(notes.id, { x: 300, y: 300 });
    desktop.world.raiseWindow(notes.id);
    const plan = await planPoint(desktop, { x: 500, y: 490 }, words, signal);
    expect(plan.window?.title).toBe('Shopping');
    expect(plan.target).toMatchObject({ element: { title: 'Note' } });
    await expect(planPoint(desktop, { x: 1439, y: 899 }, words, signal)).rejects.toMatchObject({
      code: 'DESKTOP_ELEMENT_NOT_FOUND',
      details: { reason: 'no_window' },
    });
  });
});

describe('a plan for text or keys without a target', () => {
  test('[req:DS-6-9] is for the window in front and the element that has the focus there', async () => {
    const desktop = openSimulated();
    const plan = await planFocus(
      desktop,
      await findPlace(desktop, undefined, signal),
      { ...words, text: 'hello' },
      signal,
    );
    expect(plan).toMatchObject({
      window: { title: 'New Message', app: { id: 'simulated.mail' } },
      target: { kind: 'focus', element: { title: 'To' } },
      text: 'hello',
      needsFocus: true,
    });
    desktop.world.person.focus(desktop.world.find('note') ?? '');
    expect(await planFocus(desktop, await findPlace(desktop, undefined, signal), words, signal)).toMatchObject({
      window: { title: 'Shopping' },
      target: { kind: 'focus', element: { title: 'Note' } },
    });
  });

  test('[req:DS-6-9] in another application is for its window, which will be brought to the front', async () => {
    const desktop = openSimulated();
    const plan = await planFocus(desktop, await findPlace(desktop, NOTES, signal), words, signal);
    expect(plan).toMatchObject({ window: { title: 'Shopping' }, target: { kind: 'window' }, needsFocus: true });
  });
});
