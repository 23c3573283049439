import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { maskedReader } from '../../../src/main/pipeline/masked.js';
import { createImaging } from '../../../src/main/evidence/index.js';
import { AGENT, never, openBench, told, type Bench } from './support.js';

const excluded = new Set<string>();
const covered = new Set<string>();
let bench: Bench;

/** The room gets the desktop as agents may see it. */
beforeEach(async () => {
  excluded.clear();
  covered.clear();
  bench = await openBench((desktop) =>
    maskedReader(desktop, {
      protection: {
        isProtected: (window) => covered.has(window?.title ?? ''),
        hintFor: () => null,
        hidesDocument: () => false,
        isPairingLinkOpen: () => false,
      },
      imaging: createImaging(),
      excludedApps: () => excluded,
    }),
  );
});
afterEach(() => bench.close());

const OTHER = {
  id: 'test.other',
  name: 'Other',
  executable: '/simulated/bin/other',
  windows: [{ title: 'Other', frame: { x: 600, y: 60, width: 300, height: 200 } }],
};
const WINDOW = { title: 'New', frame: { x: 500, y: 40, width: 300, height: 300 } };
const is = (event: string, title: string) => (one: Record<string, unknown>) =>
  one['event'] === event && one['title'] === title;

async function everywhere(types: ('window_changes' | 'application_changes')[] = ['window_changes']): Promise<string> {
  const { observations, everywhere: request, owner } = bench;
  return (await observations.create(request({ types }), owner())).name;
}

describe('windows', () => {
  test('case 37 in small: created, moved, resized, minimised, restored, retitled and destroyed, once each and in order', async () => {
    const { world, pid, until } = bench;
    const name = await everywhere();
    const id = world.addWindow(pid, WINDOW);
    await until(name, is('created', 'New'));
    world.moveWindow(id, { x: 520, y: 60 });
    await until(name, is('moved', 'New'));
    world.moveWindow(id, { width: 350 });
    await until(name, is('resized', 'New'));
    await bench.desktop.setWindowMinimized(id, true, never);
    await until(name, is('minimized', 'New'));
    await bench.desktop.setWindowMinimized(id, false, never);
    await until(name, is('restored', 'New'));
    world.retitleWindow(id, 'Newer');
    await until(name, is('title_changed', 'Newer'));
    world.removeWindow(id);
    const events = await until(name, is('destroyed', 'Newer'));
    const mine = events.filter(({ window }) => window === `applications/${pid}/windows/${id}`);
    expect(mine.map(({ event }) => event).filter((event) => event !== 'focused' && event !== 'unfocused')).toEqual([
      'created',
      'moved',
      'resized',
      'minimized',
      'restored',
      'title_changed',
      'destroyed',
    ]);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    expect(mine.find(({ event }) => event === 'moved')).toMatchObject({
      changes: [{ attribute: 'frame', before: { x: 500, y: 40 }, after: { x: 520, y: 60, width: 300 } }],
    });
  });

  test('tell which one gets the focus and which one loses it', async () => {
    const { world, pid, windowId, until } = bench;
    world.addWindow(pid, WINDOW);
    const name = await everywhere();
    world.raiseWindow(windowId);
    const events = await until(name, is('focused', 'Form'));
    expect(told(events).sort()).toEqual(['window_event focused', 'window_event unfocused']);
  });

  test('of one application, or one window, are all that is told of where that is the parent', async () => {
    const { world, make, until, windowId, request, observations } = bench;
    const { scope } = request();
    const [ofApp, ofWindow] = [
      await make({ types: ['window_changes'] }),
      await make({ types: ['window_changes'], scope: { ...scope, windowId } }),
    ];
    world.addApp(OTHER);
    const id = world.addWindow(bench.pid, WINDOW);
    const events = await until(ofApp, is('created', 'New'));
    expect(events.filter(({ title }) => title === 'Other')).toEqual([]);
    world.removeWindow(id);
    world.removeWindow(windowId);
    await until(ofWindow, is('destroyed', 'Form'));
    expect((await observations.poll(AGENT, ofWindow, { after: 99, timeoutMs: 20_000 }, never)).info).toMatchObject({
      state: 'COMPLETED',
      reason: 'The window is gone.',
    });
  });

  test('that are kept from agents from now on are hidden, not destroyed, and nothing more is told of them', async () => {
    const { world, windowId, until } = bench;
    const name = await everywhere();
    covered.add('Private');
    world.retitleWindow(windowId, 'Private');
    await until(name, is('hidden', 'Form'));
    world.moveWindow(windowId, { x: 5 });
    world.addApp(OTHER);
    const events = await until(name, is('created', 'Other'));
    expect(JSON.stringify(events)).not.toContain('Private');
    covered.clear();
    world.retitleWindow(windowId, 'Public');
    const back = await until(name, is('shown', 'Public'));
    expect(back.filter(({ event }) => event === 'destroyed')).toEqual([]);
    expect(back.filter(({ event }) => event === 'created')).toHaveLength(1);
  });

  test('in which elements are covered for a while do not make those elements come and go', async () => {
    const { world, pid, make, until, id } = bench;
    const button = { role: 'AXButton', title: 'Inside', frame: { x: 5, y: 5, width: 50, height: 20 } } as const;
    world.addWindow(pid, { ...WINDOW, elements: [button] });
    const name = await make();
    covered.add('New');
    world.change(id('name'), { value: 'one' });
    world.retitleWindow(bench.windowId, 'Form!');
    await until(name, ({ kind }) => kind === 'element_modified');
    covered.clear();
    world.retitleWindow(bench.windowId, 'Form!!');
    const events = await until(name, (event) => JSON.stringify(event).includes('Form!!'));
    expect(events.map(({ kind }) => kind).filter((kind) => kind !== 'element_modified')).toEqual([]);
  });
});

describe('applications', () => {
  test('are told of as they start, come to the front and end', async () => {
    const { world, until, windowId } = bench;
    const name = await everywhere(['application_changes']);
    const pid = world.addApp(OTHER);
    await until(name, is('activated', 'Other'));
    world.raiseWindow(windowId);
    await until(name, is('activated', 'Form'));
    world.kill(pid);
    const events = await until(name, is('terminated', 'Other'));
    const other = events.filter(({ application }) => application === `applications/${pid}`);
    expect(other.map(({ event }) => event)).toEqual(['launched', 'activated', 'deactivated', 'terminated']);
    expect(other[0]).toMatchObject({ kind: 'application_event', id: 'test.other', title: 'Other' });
  });

  test('without a window any more have not ended as long as their process runs', async () => {
    const { world, host, until, make } = bench;
    const pid = world.addApp(OTHER);
    const [all, own] = [await everywhere(['application_changes']), await make()];
    host.alive = true;
    world.kill(pid);
    world.kill(bench.pid);
    const third = world.addApp({ ...OTHER, id: 'test.third', name: 'Third' });
    const events = await until(all, is('launched', 'Third'));
    expect(events.filter(({ event }) => event === 'terminated')).toEqual([]);
    host.alive = false;
    world.kill(third);
    const ended = await until(all, is('terminated', 'Third'));
    expect(ended.filter(({ event }) => event === 'terminated')).toHaveLength(3);
    const over = await bench.observations.poll(AGENT, own, { after: 99, timeoutMs: 20_000 }, never);
    expect(over.info).toMatchObject({ state: 'COMPLETED', reason: 'The application has ended.' });
  });

  test('that the person excludes meanwhile end what watches them, and what was seen before is not told any more', async () => {
    const { world, id, make, host, observations } = bench;
    const name = await make();
    const waiting = observations.onEvent(() => {
      host.excluded.push('test.form');
      excluded.add('test.form');
    });
    world.change(id('name'), { value: 'seen just before' });
    const ended = await observations.poll(AGENT, name, { after: 5, timeoutMs: 20_000 }, never);
    expect(ended.info).toMatchObject({ state: 'COMPLETED', reason: expect.stringContaining('not open to agents') });
    const late = await observations.poll(AGENT, name, { after: 0, timeoutMs: 0 }, never);
    expect(late).toMatchObject({ events: [], dropped: 1 });
    waiting();
    await expect(make()).rejects.toMatchObject({ details: { reason: 'protected' } });
  });
});
