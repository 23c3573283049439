/** When macOS asks the person something: on a press, never because somebody looks. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { TestApp, TestAppOptions } from '../support/app.js';
import { appTests } from '../support/app-tests.js';
import { eventually } from '../support/eventually.js';
import { on } from '../support/host.js';
import { openPage } from '../support/person.js';
import { CLICK_COPY } from '../support/world.js';
import { openSimulated } from '../../src/native/simulated/index.js';
import { message } from '../../src/messages/index.js';
import type { ServiceJob } from '../../src/main/app/options.js';
import type { DesktopBackend, Permission, PermissionState } from '../../src/native/desktop.js';

const { start, agent, waits } = appTests();

const lacking = (): DesktopBackend => ({
  ...openSimulated(),
  platform: 'macos',
  permissions: async () => ({ accessibility: 'missing', screenRecording: 'stale' }),
});

test('[req:MP-3] nothing is asked by starting or looking; one press asks once and opens its pane', async () => {
  const app = await start({ platform: 'darwin', host: on(lacking()) });
  const person = await openPage(app.running.host.url, app.running.host.pairingLink());
  await person.match((one) => JSON.stringify(one).includes('"accessibility":"missing"'));
  person.send({ type: 'check', request: randomUUID(), record: false });
  await person.next('check');
  expect(app.prompts).toEqual([]);
  for (const pane of ['accessibility', 'screenRecording', 'automation']) {
    const before = app.told.opened.length;
    person.send({ type: 'openPermission', pane });
    await eventually(() => app.told.opened.length).toBe(before + 1);
  }
  expect(app.prompts).toEqual(['accessibility', 'screenRecording']);
  expect(app.told.opened.map((address) => address.split('?')[1])).toEqual([
    'Privacy_Accessibility',
    'Privacy_ScreenCapture',
    'Privacy_Automation',
  ]);
  person.close();
});

test('[req:MP-9] the screen is asked for by the library for that, where it was built', async () => {
  let asked = 0;
  const permissions = { askForScreen: () => void (asked += 1) };
  const app = await start({ platform: 'darwin', host: on(lacking()), permissions });
  const person = await openPage(app.running.host.url, app.running.host.pairingLink());
  person.send({ type: 'openPermission', pane: 'screenRecording' });
  await eventually(() => app.told.opened.length).toBe(1);
  expect([asked, app.prompts]).toEqual([1, []]);
  person.close();
});

test('[req:MP-3] what is allowed already is not asked for again; its pane opens all the same', async () => {
  const app = await start({
    platform: 'darwin',
    host: on(lacking()),
    before: ({ app: { machine } }) => (machine.allowed = { accessibility: true, screenRecording: true }),
  });
  const person = await openPage(app.running.host.url, app.running.host.pairingLink());
  for (const pane of ['accessibility', 'screenRecording']) person.send({ type: 'openPermission', pane });
  await eventually(() => app.told.opened.length).toBe(2);
  expect(app.prompts).toEqual([]);
  person.close();
});

describe('[req:MP-7] a permission that macOS keeps from a running program', () => {
  let states: Record<Permission, PermissionState>;
  let person: Awaited<ReturnType<typeof openPage>>;
  let app: TestApp;
  const open = async (more: Partial<TestAppOptions> = {}) => {
    app = await start({
      platform: 'darwin',
      host: on({ ...openSimulated(), platform: 'macos', permissions: async () => ({ ...states }) }),
      ...more,
    });
    person = await openPage(app.running.host.url, app.running.host.pairingLink());
  };
  const switchedOn = async () => {
    states.screenRecording = 'granted';
    person.send({ type: 'check', request: randomUUID(), record: false });
    await person.match((one) => JSON.stringify(one).includes('"relaunch":true'));
  };
  beforeEach(() => {
    states = { accessibility: 'granted', screenRecording: 'missing' };
  });

  test('is seen when it is given, and the app starts again when the person presses', async () => {
    await open();
    expect(app.running.host.menubar.health()).not.toHaveProperty('relaunch');
    await switchedOn();
    person.send({ type: 'relaunch' });
    expect(await app.app.exited).toBe(0);
    expect(app.app.relaunches).toBe(true);
  });

  test('as the service’s own process, with which launchd ends what it starts, it is started again by launchd', async () => {
    let restarts = 0;
    const serviceJob: ServiceJob = {
      isOwn: () => true,
      isAnother: () => false,
      start: () => false,
      restart: () => (restarts += 1) > 0,
      offer: () => ({ kind: 'unavailable', why: message('service.needs_app') }),
    };
    await open({ serviceJob, before: (made) => (made.app.isJob = true) });
    await switchedOn();
    person.send({ type: 'relaunch' });
    expect(await app.app.exited).toBe(0);
    expect([restarts, app.app.relaunches]).toEqual([1, false]);
  });

  test('starts nothing again while a request waits', async () => {
    await open();
    await switchedOn();
    const rpc = await agent();
    void rpc.call('desktop.click', CLICK_COPY);
    await waits();
    person.send({ type: 'relaunch' });
    expect(await person.next('error')).toMatchObject({ code: 'not_idle' });
    rpc.close();
    // Its caller has gone, and may come back to it.
    await eventually(() => app.running.host.menubar.cards().map(({ orphaned }) => orphaned)).toEqual([true]);
    person.send({ type: 'relaunch' });
    expect(await person.next('error')).toMatchObject({ code: 'not_idle' });
    expect([app.app.relaunches, app.running.host.menubar.cards().length]).toEqual([false, 1]);
    person.close();
  });
});

test('where there is no such pane, a press asks nothing', async () => {
  const app = await start();
  const person = await openPage(app.running.host.url, app.running.host.pairingLink());
  person.send({ type: 'openPermission', pane: 'accessibility' });
  await person.next('error');
  expect([app.prompts, app.told.opened]).toEqual([[], []]);
  person.close();
});
