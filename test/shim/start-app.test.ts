/** What a shim starts on a Mac, by a stand-in of the system's program that opens applications. */
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localHost, appToStart, type AppPlace } from '../../src/main/shim/local-host.js';

let folder: string;
let place: AppPlace;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chaperone-start-app-'));
  place = {
    platform: 'darwin',
    env: {},
    home: join(folder, 'home'),
    execPath: '/usr/local/bin/node',
    applications: join(folder, 'Applications'),
    opener: join(folder, 'open'),
  };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const install = (where: string) => mkdir(join(where, 'Chaperone.app'), { recursive: true });
const opener = async (script: string) => {
  await writeFile(join(folder, 'open'), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, 'open'), 0o755);
};

describe('[req:MT-START-3] on a Mac a shim starts', () => {
  it('the app it is a part of, else the one that is installed', async () => {
    expect(appToStart(place)).toBeNull();
    await install(join(folder, 'home/Applications'));
    expect(appToStart(place)).toBe(join(folder, 'home/Applications/Chaperone.app'));
    await install(join(folder, 'Applications'));
    expect(appToStart(place)).toBe(join(folder, 'Applications/Chaperone.app'));
    const execPath = '/Volumes/More/Chaperone.app/Contents/MacOS/Chaperone';
    expect(appToStart({ ...place, execPath })).toBe('/Volumes/More/Chaperone.app');
  });

  it('no app elsewhere, nor where a simulated desktop or settings of their own were asked for', async () => {
    await install(join(folder, 'Applications'));
    expect(appToStart({ ...place, platform: 'linux' })).toBeNull();
    expect(appToStart({ ...place, env: { CHAPERONE_BACKEND: 'simulated' } })).toBeNull();
    expect(appToStart({ ...place, env: { CHAPERONE_HOME: '/tmp/x' } })).toBeNull();
    expect(appToStart({ ...place, env: { HOME: '/tmp/x' } })).toBeNull();
  });

  it('it through the system, behind what is in front, with nothing of the agent’s environment', async () => {
    await install(join(folder, 'Applications'));
    await opener(
      `printf '%s\\n' "$@" > ${folder}/told; /usr/bin/env | grep -v -e '^_=' -e '^PWD=' -e '^SHLVL=' | sort >> ${folder}/told`,
    );
    const env = { LD_PRELOAD: '/x.so', NODE_OPTIONS: '--x', PORT: '99', WORKSPACE_ROOT: '/', LANG: 'de_DE.UTF-8' };
    const { ended } = localHost({ name: 'x', version: '1', entry: '/nowhere', env, machine: place }).start();
    expect(await ended).toEqual({ code: 0, output: '' });
    expect((await readFile(join(folder, 'told'), 'utf8')).trim().split('\n')).toEqual([
      '-g',
      '-a',
      join(folder, 'Applications/Chaperone.app'),
      `HOME=${place.home}`,
      'LANG=de_DE.UTF-8',
      'PATH=/opt/homebrew/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
    ]);
  });

  it('and says the system’s own words where the app does not open', async () => {
    await install(join(folder, 'Applications'));
    await opener('echo "it is damaged" >&2; exit 3');
    const { ended } = localHost({ name: 'x', version: '1', entry: '/nowhere', env: {}, machine: place }).start();
    expect(await ended).toEqual({ code: 3, output: 'it is damaged' });
    await rm(join(folder, 'open'));
    const missing = await localHost({ name: 'x', version: '1', entry: '/nowhere', env: {}, machine: place }).start()
      .ended;
    expect(missing.code).toBeNull();
  });
});
