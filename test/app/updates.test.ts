/** Updates, on the stand-in: the real library and a real address of the packages' own tools, a system that takes only what is signed. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { VERSION } from '../../src/main/protocol/local-command.js';
import type { TestApp, TestAppOptions } from '../support/app.js';
import { appTests } from '../support/app-tests.js';
import type { MenuStandIn } from '../support/electron/parts.js';
import { eventually } from '../support/eventually.js';
import { openGabp } from '../support/gabp.js';
import { asOnMacOs, openUpdateAddress, type UpdateAddress } from '../support/update-address.js';
import { CLICK_COPY } from '../support/world.js';

const { start, agent, waits } = appTests();
let app: TestApp;
let address: UpdateAddress;
let folder: string;

const SIGNED = 'the new app, signed by TEAM1';
const NEWER = '9.1.0';

asOnMacOs();
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chaperone-updates-'));
  vi.stubEnv('HOME', folder);
  vi.stubEnv('XDG_CACHE_HOME', folder);
  address = await openUpdateAddress();
});
afterEach(async () => {
  await address.close();
  await rm(folder, { recursive: true, force: true });
});
afterAll(() => vi.unstubAllEnvs());

async function withAddress(url = address.url, more: Partial<TestAppOptions> = {}): Promise<void> {
  const updateConfig = join(folder, 'app-update.yml');
  await writeFile(updateConfig, `provider: generic\nurl: ${url}\nupdaterCacheDirName: chaperone-updater\n`);
  app = await start({
    platform: 'darwin',
    before: (standIn) => (standIn.app.isPackaged = true),
    updateConfig,
    ...more,
  });
}

function menu(): MenuStandIn {
  app.tray().emit('right-click');
  const shown = app.tray().poppedUp;
  if (shown === null) throw new Error('there is no menu');
  return shown;
}
const label = (id: string): string | undefined => menu().items.find((item) => item.id === id)?.label;
const told = () => app.notifications.filter(({ title }) => title === 'Chaperone updates').map(({ body }) => body);

/** The person chooses the entry; resolves with the sentence that it leads to. */
async function choose(entry: string): Promise<string> {
  const before = told().length;
  expect(label('update')).toBe(entry);
  menu().choose('update');
  await eventually(() => told().length).toBeGreaterThan(before);
  expect(label('update_told')).toBe(told().at(-1));
  return told().at(-1) ?? '';
}

const check = () => choose('Check for updates');
const download = async () => {
  await check();
  return choose(`Download Chaperone ${NEWER}`);
};
const INSTALL = `Install Chaperone ${NEWER} and start it again`;

describe('[req:AP-UP-1] the update address', () => {
  test.each([
    ['no file', null],
    ['another provider', 'provider: github\nowner: a\nrepo: b\n'],
    ['no safe address', 'provider: generic\nurl: http://updates.example\n'],
    ['no YAML', '{'],
  ])('%s: the menu has no entry, and nothing is said of updates', async (_name, text) => {
    const updateConfig = join(folder, 'other.yml');
    if (text !== null) await writeFile(updateConfig, text);
    app = await start({ platform: 'darwin', updateConfig });
    expect(menu().items.filter(({ id, label: words }) => /update/i.test(`${id} ${words}`))).toEqual([]);
  });

  test('is asked when the person chooses it, and says nothing of who asks', async () => {
    await address.publish(VERSION, SIGNED);
    await withAddress(undefined, { updateEveryMs: 1 });
    await app.page();
    expect(address.asked).toEqual([]);
    expect(await check()).toBe(`Chaperone ${VERSION} is up to date.`);
    expect(address.asked.map(({ path }) => path)).toEqual(['/updates/latest-mac.yml']);
    expect(address.asked[0]?.headers).toMatchObject({ 'x-user-staging-id': '00000000-0000-0000-0000-000000000000' });
  });

  test('is asked again and again only while the person has that switched on, also after the next start', async () => {
    const home = join(folder, 'home');
    await mkdir(home);
    await withAddress(undefined, { updateEveryMs: 20, home });
    menu().choose('update_daily');
    await eventually(() => address.asked.length).toBeGreaterThan(2);
    expect(told()).toEqual([]);
    app.app.quit();
    await app.app.exited;
    address.asked.length = 0;
    await address.publish(NEWER, SIGNED);
    await withAddress(undefined, { updateEveryMs: 20, home });
    await eventually(told).toEqual([`Chaperone ${NEWER} is available. Download it from the menu.`]);
    expect(label('update')).toBe(`Download Chaperone ${NEWER}`);
    expect(address.asked.map(({ path }) => path)).not.toContain(`/updates/Chaperone-${NEWER}-mac-x64.zip`);
    menu().choose('update_daily');
    expect(menu().items.find(({ id }) => id === 'update_daily')?.checked).toBe(false);
  });
});

describe('[req:AP-UP-2] a newer version', () => {
  beforeEach(async () => {
    await address.publish(NEWER, SIGNED);
    await withAddress();
  });

  test('is downloaded and installed by the person, step by step, and the host ends in order before', async () => {
    expect(await check()).toBe(`Chaperone ${NEWER} is available. Download it from the menu.`);
    expect(await choose(`Download Chaperone ${NEWER}`)).toBe(
      `Chaperone ${NEWER} is downloaded: install it from the menu when it suits you.`,
    );
    expect(app.autoUpdater.installed).toBeNull();
    expect(label('update')).toBe(INSTALL);
    menu().choose('update');
    expect(await app.app.exited).toBe(0);
    expect([app.autoUpdater.installed, app.app.windows.size]).toEqual([SIGNED, 0]);
  });

  test('[req:AP-UP-3] waits with an open request and a call that acts, and is installed after', async () => {
    await download();
    const work = (await agent()).call('desktop.click', CLICK_COPY);
    await waits();
    expect(await choose(INSTALL)).toBe(
      `Chaperone ${NEWER} will be installed when no call is running and no request waits for you.`,
    );
    expect([app.autoUpdater.installed, label('update')]).toEqual([null, `Installing Chaperone ${NEWER}…`]);
    app.running.host.menubar.stop();
    await work;
    expect(await app.app.exited).toBe(0);
    expect(app.autoUpdater.installed).toBe(SIGNED);
  });

  test('[req:AP-UP-4] agents neither see nor start anything of it', async () => {
    await download();
    const asked = address.asked.length;
    const rpc = await agent();
    const gabp = await openGabp({ home: app.home, host: app.running.host });
    const seen = JSON.stringify([
      await rpc.call('desktop.health', {}),
      app.running.host.menubar.status(),
      app.running.host.menubar.health(),
    ]);
    expect(seen).not.toMatch(/9\.1\.0|update/i);
    const { tools } = await gabp.request('tools/list', {});
    expect(JSON.stringify(tools)).not.toMatch(/update address|up to date/i);
    for (const method of ['desktop.update', 'admin/update', 'app.update']) await rpc.error(method, {});
    gabp.close();
    expect([address.asked.length, label('update')]).toEqual([asked, INSTALL]);
  });
});

describe('[req:AP-UP-5] what is not an update', () => {
  test('an older version is refused', async () => {
    await address.publish('0.0.9', SIGNED);
    await withAddress();
    expect(await check()).toBe(
      `The update address offers Chaperone 0.0.9, which is older than this one, ${VERSION}. Nothing was changed. Keep using this one.`,
    );
    expect(label('update')).toBe('Check for updates');
  });

  test('an address that cannot be reached', async () => {
    await withAddress('http://127.0.0.1:9/');
    expect(await check()).toBe(
      'The update address could not be reached (net::ERR_CONNECTION_REFUSED): check the network, then check for updates again.',
    );
    expect(label('update')).toBe('Check for updates');
  });

  test('an answer that is none', async () => {
    await withAddress();
    expect(await check()).toMatch(
      /^What is published at the update address cannot be used \(Cannot find channel [^\n]{1,140}\): nothing was changed; get/,
    );
    await address.replaceChannel('<html>Not found</html>');
    expect(await check()).toMatch(/^What is published at the update address cannot be used/);
  });

  test('a download with another checksum', async () => {
    await address.publish(NEWER, SIGNED);
    await withAddress();
    address.replacePackages('another app, signed by TEAM1');
    expect(await download()).toBe(
      'The download does not have the checksum it was published with and was thrown away: check again later, or get the new version by hand.',
    );
    expect(label('update')).toBe('Check for updates');
  });

  test('a package of another signer, which macOS refuses: the app goes on', async () => {
    await address.publish(NEWER, 'another app, signed by MALLORY');
    await withAddress();
    await download();
    expect(await choose(INSTALL)).toBe(
      'macOS did not take the update (Code signature at URL file:///update did not pass validation): nothing was changed; get the new version by hand where you got this one.',
    );
    expect([app.autoUpdater.installed, label('update')]).toEqual([null, 'Check for updates']);
    expect((await agent()).call).toBeTypeOf('function');
  });
});
