/** What `chaperone apps` prints, as a process of its own before a host with a real application. Whoever started it here is an agent to that host. */
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../shim/support.js';
import { createHome } from '../support/command.js';
import { launched, startApps } from '../support/gabp-apps.js';

test('[req:GC-10] the command line says which applications there are; started by an agent it does no more than that', async () => {
  const { scene, start, state, write, close } = await startApps({ game: launched() });
  onTestFinished(close);
  const home = createHome();
  onTestFinished(home.close);
  const apps = (...args: string[]) => home.run(['apps', ...args], { CHAPERONE_HOME: scene.home });

  expect((await apps()).stdout).toMatch(/^game {2}stopped {2}not confirmed as it is now {2}\S.*gabp-app\.mjs/);
  expect(await apps('start', 'game')).toMatchObject({
    code: 1,
    stdout: 'The entry of game is new or was changed: confirm it in the page or the popover.\n',
    stderr: 'Only a person starts, stops and reads the log of applications.\nAsk the person with send_message.\n',
  });
  expect(await state('game')).toBe('stopped');

  await start('game');
  expect((await apps()).stdout).toMatch(/^game {2}connected {2}Test game 1\.0 {2}8 tools {2}\S/);
  for (const word of ['log', 'stop'])
    expect(await apps(word, 'game')).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Only a person') }); // prettier-ignore
  expect(await state('game')).toBe('connected');

  await write({});
  expect((await apps()).stdout).toBe('gabp-apps.json names no application.\n');
});

test('an application that is not there or does not run is told with the command that lists them', async () => {
  const home = createHome();
  onTestFinished(home.close);
  const host = home.start(['host']);
  await until(() => host.stdout().includes('\n'));
  const listed = expect.stringMatching(/^[^\n]*game[^\n]*\.\n`[^\n]+ apps` lists the applications that there are\.\n$/);
  for (const word of ['start', 'stop', 'log'])
    expect(await home.run(['apps', word, 'game'])).toMatchObject({ code: 1, stdout: '', stderr: listed });
});
