/** When macOS asks the person something: on a press, never because somebody looks. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { appTests } from '../support/app-tests.js';
import { eventually } from '../support/eventually.js';
import { on } from '../support/host.js';
import { openPage } from '../support/person.js';
import { openSimulated } from '../../src/native/simulated/index.js';
import type { DesktopBackend } from '../../src/native/desktop.js';

const { start } = appTests();

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

test('where there is no such pane, a press asks nothing', async () => {
  const app = await start();
  const person = await openPage(app.running.host.url, app.running.host.pairingLink());
  person.send({ type: 'openPermission', pane: 'accessibility' });
  await person.next('error');
  expect([app.prompts, app.told.opened]).toEqual([[], []]);
  person.close();
});
