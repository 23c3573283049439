/** What `chaperone apps` prints, as a process of its own before a host with a real application. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../shim/support.js';
import { createHome } from '../support/command.js';
import { eventually } from '../support/eventually.js';
import { launched, startApps } from '../support/gabp-apps.js';
import { startKillable } from '../support/killable.js';
import { openPage } from '../support/person.js';

test('[req:GC-10] the command line says which applications there are, and starts and stops them', async () => {
  const started = await startKillable();
  onTestFinished(started.close);
  const write = async (apps: object): Promise<void> => {
    await mkdir(join(started.home, 'config'), { recursive: true, mode: 0o700 });
    await writeFile(join(started.home, 'config/gabp-apps.json'), JSON.stringify({ version: 1, apps }), { mode: 0o600 });
  };
  const apps = async (...args: string[]) => (await started.command.type(['apps', ...args])).stdout;
  const person = await openPage(started.host.url, started.host.link);
  onTestFinished(person.close);

  await write({ game: launched() });
  expect(await apps()).toMatch(/^game {2}stopped {2}not confirmed as it is now {2}\S.*gabp-app\.mjs/);
  const starting = apps('start', 'game');
  await person.answer('allow');
  expect(await starting).toMatch(/^The entry of game is new or was changed: confirm it .*\ngame is being started\./);
  await eventually(apps).toMatch(/^game {2}connected {2}Test game 1\.0 {2}8 tools {2}\S/);
  expect(await apps('stop', 'game')).toBe('game is stopped.\n');
  await write({});
  expect(await apps()).toBe('No GABP applications configured (gabp-apps.json).\n');
});

test('[req:GC-10] started by an agent it says how many there are, and does nothing', async () => {
  const { agent, scene, start, state, close } = await startApps({ game: launched() });
  onTestFinished(close);
  const home = createHome();
  onTestFinished(home.close);
  const apps = (...args: string[]) => home.run(['apps', ...args], { CHAPERONE_HOME: scene.home });
  await start('game');
  await agent.tool('list_sessions');
  expect((await apps()).stdout).toMatch(/^Applications in gabp-apps\.json: 1\nYou see counts only\. An agent/);
  for (const word of ['start', 'log', 'stop'])
    expect(await apps(word, 'game')).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Only the person') }); // prettier-ignore
  expect(await state('game')).toBe('connected');
});

test('an application that is not there or does not run is told with the command that lists them', async () => {
  const home = createHome();
  onTestFinished(home.close);
  const host = home.start(['host']);
  await until(() => host.stdout().includes('\n'));
  const listed = expect.stringMatching(/^[^\n]*game[^\n]*\.\n`[^\n]+ apps` lists the applications that there are\.\n$/);
  for (const word of ['start', 'stop', 'log'])
    expect(await home.type(['apps', word, 'game'])).toMatchObject({ code: 1, stdout: listed });
});
