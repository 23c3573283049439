/** Windows answered from memory, beside those of a new connection that has to ask for everything. */
import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { XConnection } from '../../../src/native/linux/x11/connection.js';
import { connectToDisplay } from '../../support/x-connection.js';
import { openWindowCache } from '../../../src/native/linux/x11/window-cache.js';
import { expireChanged } from '../../../src/native/linux/x11/window-model.js';
import { openWindows } from '../../../src/native/linux/x11/window-lookup.js';
import type { Windows } from '../../../src/native/linux/windows.js';
import { type LinuxDesktop, openLinuxDesktop } from '../../support/linux-desktop.js';
import { openRawWindow } from '../../support/sentinel.js';
import { openXApplication } from '../../support/x-application.js';
import {
  closeScene,
  forgeEvents,
  managerHandledAll,
  type Operation,
  OPERATIONS,
  openScene,
} from '../../support/x-operations.js';

interface Instance {
  x: XConnection;
  windows: Windows;
}

let linux: LinuxDesktop;
let model: Instance;

const open = async (): Promise<Instance> => {
  const { env } = linux.session;
  const x = await connectToDisplay(env);
  return { x, windows: await openWindows(x) };
};

beforeAll(async () => {
  linux = await openLinuxDesktop();
  model = await open();
});
afterAll(async () => {
  await model.x.close();
  await linux.close();
});

const POINTS = [60, 150, 300, 450].flatMap((x) => [70, 180, 330].map((y) => ({ x, y })));

async function answers({ windows }: Instance, ids: readonly number[]) {
  const [list, stack, active, at, found, pids] = await Promise.all([
    windows.list(),
    windows.stack(),
    windows.active(),
    Promise.all(POINTS.map((point) => windows.at(point))),
    Promise.all(ids.map((id) => windows.find(id))),
    Promise.all(ids.map((id) => windows.pidOf(id))),
  ]);
  return { list, stack, active, at, found, pids };
}

async function askAnew(ids: readonly number[]) {
  const fresh = await open();
  try {
    return await answers(fresh, ids);
  } finally {
    await fresh.x.close();
  }
}

/** Asks before and after: the window manager acts when it likes. */
async function expectSameAsAnew(ids: readonly number[]): Promise<void> {
  for (;;) {
    const before = await askAnew(ids);
    const known = await answers(model, ids);
    const after = await askAnew(ids);
    if (JSON.stringify(before) !== JSON.stringify(after)) continue;
    return expect(known).toEqual(after);
  }
}

describe('windows in memory', () => {
  const runOperations = async (operations: readonly Operation[]): Promise<void> => {
    const scene = await openScene(linux.session.env);
    const ids = () => scene.windows.map(({ id }) => id);
    try {
      for (const [index, operation] of operations.entries()) {
        await operation(scene);
        await expectSameAsAnew(ids()).catch((cause: unknown) => {
          throw new Error(`after operation ${index + 1}, ${fc.stringify(operation)}`, { cause });
        });
      }
    } finally {
      await closeScene(scene);
    }
    await expectSameAsAnew(ids());
  };

  it(
    '[req:TI-3] are those that the server would tell, whatever programs and the window manager do',
    { timeout: 900_000 },
    async () => {
      const choices = [...OPERATIONS.values()];
      const operations = fc.array(fc.oneof(...choices), { minLength: 10, maxLength: 40, size: 'max' });
      await fc.assert(fc.asyncProperty(operations, runOperations), { numRuns: 10, endOnFailure: true });
    },
  );

  it.each([...OPERATIONS].map(([name, { arbitrary }]) => [name, arbitrary] as const))(
    'are those that the server would tell after: %s',
    { timeout: 120_000 },
    async (_, arbitrary) => {
      const [open, menu] = [OPERATIONS.get('open'), OPERATIONS.get('open menu')];
      if (open === undefined || menu === undefined) throw new Error('no such operation');
      const few = (which: fc.Arbitrary<Operation>, numRuns: number) => fc.sample(which, { seed: 7, numRuns });
      await runOperations([...few(open.arbitrary, 3), ...few(menu.arbitrary, 2), ...few(arbitrary, 5)]);
    },
  );

  it('are answered with one request where nothing has changed, also when several questions come at once', async () => {
    const app = await openXApplication(linux.session.env);
    const window = await app.create(app.x.root, { x: 40, y: 40, width: 200, height: 100 });
    await app.request((done) => app.x.client.MapWindow(window, done));
    await expect.poll(async () => (await model.windows.find(window))?.shown).toBe(true);
    await managerHandledAll(linux.session.env);
    await expectSameAsAnew([window]);
    const requests = async (ask: () => Promise<unknown>): Promise<number> => {
      const before = model.x.client.seq_num;
      await ask();
      return model.x.client.seq_num - before;
    };
    const { list, stack, active, at, find, pidOf } = model.windows;
    // What the last program has left may only now be cleared away.
    for (const ask of [list, stack, active, () => at({ x: 60, y: 60 }), () => find(window), () => pidOf(window)])
      await expect.poll(() => requests(ask)).toBe(1);
    await expect.poll(() => requests(() => Promise.all([list(), stack(), find(window)]))).toBe(1);
    await app.setText(window, '_NET_WM_NAME', 'Another');
    expect(await requests(list)).toBe(2);
    expect((await model.windows.find(window))?.title).toBe('Another');
    await app.close();
  });

  it('are the same objects in every answer until something changes', async () => {
    const app = await openXApplication(linux.session.env);
    const menu = await app.create(app.x.root, { x: 0, y: 0, width: 20, height: 20 }, true);
    await app.request((done) => app.x.client.MapWindow(menu, done));
    const { list, stack, front } = model.windows;
    for (const ask of [list, stack, front]) {
      // What the last program has left may only now be cleared away.
      await expect.poll(async () => (await ask()) === (await ask())).toBe(true);
    }
    const before = await list();
    await app.request((done) => app.x.client.ConfigureWindow(menu, { x: 7 }, done));
    const after = await list();
    expect(after).not.toBe(before);
    expect(after.find(({ id }) => id === menu)?.frame.x).toBe(7);
    await app.request((done) => app.x.client.DestroyWindow(menu, done));
    expect((await list()).map(({ id }) => id)).not.toContain(menu);
    await app.close();
  });

  it('are as they are at the moment of each question', async () => {
    const app = await openXApplication(linux.session.env);
    const menu = await app.create(app.x.root, { x: 0, y: 0, width: 20, height: 20 }, true);
    expect((await model.windows.find(menu))?.frame.x).toBe(0);
    for (let step = 1; step <= 10; step += 1) {
      // Nothing that the server sends is read until this program has ended.
      execFileSync('xdotool', ['windowmove', `${menu}`, `${step}`, '0'], { env: linux.session.env });
      expect((await model.windows.find(menu))?.frame.x).toBe(step);
    }
    await app.close();
  });

  it('[req:AR-3] are as they are at the first question of a call, and its later ones take no request', async () => {
    const app = await openXApplication(linux.session.env);
    const menu = await app.create(app.x.root, { x: 0, y: 0, width: 20, height: 20 }, true);
    const { list, find, front, at } = model.windows;
    await Promise.all([list(), find(menu), front()]);
    for (let step = 1; step <= 3; step += 1) {
      execFileSync('xdotool', ['windowmove', `${menu}`, `${step}`, '0'], { env: linux.session.env });
      const call = new AbortController().signal;
      expect((await find(menu, call))?.frame.x).toBe(step);
      const before = model.x.client.seq_num;
      expect((await find(menu, call))?.frame.x).toBe(step);
      await Promise.all([list(call), front(call)]);
      expect(model.x.client.seq_num).toBe(before);
    }
    const together = async (): Promise<number> => {
      const before = model.x.client.seq_num;
      await Promise.all([at({ x: 60, y: 60 }, new AbortController().signal), list()]);
      return model.x.client.seq_num - before;
    };
    await expect.poll(together).toBe(1);
    await app.close();
  });

  it('are heard of by who waits for them, also where their process was asked for meanwhile', async () => {
    const app = await openXApplication(linux.session.env);
    const menu = await app.create(app.x.root, { x: 0, y: 0, width: 20, height: 20 }, true);
    const { find, pidOf, waitFor } = model.windows;
    const pid = pidOf(menu);
    const titled = async () => ((await find(menu))?.title === 'Another' ? true : null);
    const [over, seen] = [new AbortController(), vi.fn()];
    const waiting = waitFor(titled, 600_000, over.signal).then(seen, () => {});
    await pid;
    await find(app.x.root);
    await app.setText(menu, '_NET_WM_NAME', 'Another');
    await expect
      .poll(() => seen.mock.calls, { timeout: 10_000 })
      .toEqual([[true]])
      .finally(() => over.abort());
    await waiting;
    await app.close();
  });

  it('are let go of when they end, and not when a program only sends that they have', async () => {
    const { env } = linux.session;
    const app = await openXApplication(env);
    const x = await connectToDisplay(env);
    const cache = await openWindowCache(x);
    x.onEvent((event) => void expireChanged(event, cache));
    const id = await app.create(x.root, { x: 0, y: 0, width: 20, height: 20 });
    const window = cache.get(id);
    await x.sync();
    await forgeEvents({ app, id });
    await x.sync();
    expect(cache.known(id)).toBe(window);
    await app.request((done) => app.x.client.DestroyWindow(id, done));
    await x.sync();
    expect(cache.known(id)).toBeUndefined();
    await x.close();
    await app.close();
  });

  it('belong to their process also where its window has the id of an older one', async () => {
    const seen = new Map<string, number>();
    for (let round = 0; round < 4; round += 1) {
      const raw = await openRawWindow(linux.session.env, { title: `Raw ${round}` });
      await expect.poll(async () => (await model.windows.list()).map(({ title }) => title)).toEqual([raw.title]);
      const [window] = await model.windows.list();
      seen.set(raw.title, window?.id ?? 0);
      expect(window?.pid).toBe(raw.pid);
      await raw.close();
      await expect.poll(async () => (await model.windows.list()).length).toBe(0);
    }
    expect(new Set(seen.values()).size).toBeLessThan(seen.size);
  });

  it('that change all the time while nobody asks are no longer heard of, and yet answered as they are', async () => {
    const app = await openXApplication(linux.session.env);
    const menu = await app.create(app.x.root, { x: 40, y: 40, width: 200, height: 100 }, true);
    await app.request((done) => app.x.client.MapWindow(menu, done));
    await model.windows.stack();
    let events = 0;
    const stop = model.x.onEvent(() => (events += 1));
    const disturb = async (round: number): Promise<number> => {
      events = 0;
      for (let count = 0; count < 500; count += 1) {
        await app.setText(menu, '_NET_WM_NAME', `${round} ${count}`);
        await app.request((done) => app.x.client.ConfigureWindow(menu, { x: count % 9, y: round }, done));
      }
      await model.x.sync();
      return events;
    };
    expect(await disturb(1)).toBeGreaterThan(100);
    expect(await disturb(2)).toBe(0);
    expect(await model.windows.find(menu)).toMatchObject({ title: '2 499', frame: { x: 499 % 9, y: 2 } });
    expect(await disturb(3)).toBeGreaterThan(100);
    await expectSameAsAnew([menu]);
    stop();
    await app.close();
  });

  it('are answered while some of them go, come and change without end', async () => {
    const app = await openXApplication(linux.session.env);
    let ended = false;
    const storm = async (): Promise<void> => {
      while (!ended) {
        const menu = await app.create(app.x.root, { x: 40, y: 40, width: 200, height: 100 }, true);
        await app.request((done) => app.x.client.MapWindow(menu, done));
        await app.setText(menu, '_NET_WM_NAME', 'Gone');
        await app.request((done) => app.x.client.DestroyWindow(menu, done));
      }
    };
    const storms = Promise.all([storm(), storm(), storm()]);
    for (let count = 0; count < 100; count += 1) await answers(model, []);
    ended = true;
    await storms;
    await expectSameAsAnew([]);
    await app.close();
  });
});
