/** The app on a Mac keeps the key of the record's head, and is asked about it. */
import { mkdtemp, readFile, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { openHeadKey } from '../../src/main/app/head-key.js';
import { formatEnglish } from '../../src/messages/index.js';
import { hostPaths } from '../../src/main/host/discovery.js';
import { appTests } from '../support/app-tests.js';
import { createHome } from '../support/command.js';
import type { TestApp } from '../support/app.js';
import { doctorSays } from '../support/doctor-says.js';

const { start, machine } = appTests();
const command = createHome();
const homes: string[] = [];
/** For several runs of the app. */
const newHome = async (): Promise<string> => {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'chaperone-key-')));
  homes.push(home);
  return home;
};
afterAll(async () => {
  await command.close();
  await Promise.all(homes.map((home) => rm(home, { recursive: true, force: true })));
});

const stateOf = ({ home }: Pick<TestApp, 'home'>) => hostPaths({ CHAPERONE_HOME: home }).state;
const keyFile = (app: Pick<TestApp, 'home'>) => join(stateOf(app), 'audit.head-key');
const verify = (app: Pick<TestApp, 'home'>, ...args: string[]) =>
  command.run(['evidence', 'verify', ...args], { CHAPERONE_HOME: app.home });
const warned = ({ log }: TestApp) => log.filter(({ msg }) => String(msg).includes('key of the audit log'));

const LACKS =
  /^The key of the record of actions cannot be used \(.+\), so nobody can tell whether its last lines were cut off$/;
const NEXT =
  'Unlock the login keychain, allow Chaperone its entry “Chaperone Safe Storage” in Keychain Access, then start Chaperone again.';
const issues = ({ running }: TestApp) =>
  (running.host.menubar.health()?.issues ?? []).map(({ title, fix }) => [formatEnglish(title), formatEnglish(fix)]);

describe('[req:MW-9] the key of the record’s head', () => {
  it('lies encrypted, and the app vouches with it in its next run too', async () => {
    const first = await start({ platform: 'darwin', home: await newHome() });
    const file = keyFile(first);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const kept = await readFile(file);
    const shared = machine();
    const answer = await verify(first);
    expect(answer).toMatchObject({ code: 0, stdout: expect.stringContaining('has checked its head') });
    first.app.quit();
    await first.app.exited;
    const alone = await verify(first);
    expect(alone).toMatchObject({ code: 0, stdout: expect.stringContaining('could not be checked') });
    const second = await start({ platform: 'darwin', home: first.home, machine: shared });
    expect(await readFile(file)).toEqual(kept);
    expect(JSON.parse((await verify(second, '--json')).stdout)).toMatchObject({ ok: true, head: 'right' });
    expect(second.running.host.menubar.health()?.issues).toEqual([]);
  });

  it('tells a head that others wrote from the app’s own', async () => {
    const app = await start({ platform: 'darwin' });
    const head = join(stateOf(app), 'audit.head.json');
    const { code: _, ...own } = JSON.parse(await readFile(head, 'utf8')) as { code: string };
    await writeFile(head, JSON.stringify(own));
    const answer = await verify(app);
    expect(answer).toMatchObject({ code: 1, stdout: expect.stringContaining('was not written by Chaperone’s app') });
  });

  it('[req:MW-10] is not replaced where the keychain gives it back no more; nobody vouches then, and log and Health say so', async () => {
    const first = await start({ platform: 'darwin', home: await newHome() });
    const kept = await readFile(keyFile(first));
    const shared = machine();
    first.app.quit();
    await first.app.exited;
    const second = await start({ platform: 'darwin', home: first.home, machine: { ...shared, keychain: 'another' } });
    expect(warned(second)).toHaveLength(1);
    expect(issues(second)).toEqual([[expect.stringMatching(LACKS), NEXT]]);
    expect(await readFile(keyFile(first))).toEqual(kept);
  });

  it('[req:MW-10] is not waited for without end, nor kept where the keychain answers too late', async () => {
    const stateDir = await newHome();
    const gates: (() => void)[] = [];
    const answered = () => new Promise<void>((resolve) => gates.push(resolve));
    const safeStorage = {
      isAsyncEncryptionAvailable: async () => true,
      encryptStringAsync: () => answered().then(() => Buffer.from('late')),
      decryptStringAsync: () => Promise.reject(new Error('nothing is kept')),
    };
    const opened = await openHeadKey({ safeStorage, platform: 'darwin', stateDir, log: pino({ enabled: false }), answerMs: 1 });
    expect(opened.headKey).toBeUndefined();
    expect(opened.issues.map(({ title }) => formatEnglish(title))).toEqual([expect.stringContaining('(the keychain does not answer)')]);
    for (const open of gates) open();
    await new Promise((resolve) => setImmediate(resolve));
    expect([gates.length, await readdir(stateDir)]).toEqual([1, []]);
  }); // prettier-ignore

  it('[req:MW-10] is none where the system keeps none, which doctor tells, and off macOS', async () => {
    const elsewhere = await start();
    expect(issues(elsewhere)).toEqual([]);
    await expect(stat(keyFile(elsewhere))).rejects.toThrow('ENOENT');
    expect((await verify(elsewhere)).stdout).toContain('It isn’t signed');
    const without = await start({ platform: 'darwin', machine: { ...machine(), locks: new Map(), keychain: null } });
    expect(warned(without)).toHaveLength(1);
    expect(issues(without)).toEqual([[expect.stringContaining('(the keychain gives no key)'), NEXT]]);
    expect(await doctorSays(without.home)).toContain(
      `(the keychain gives no key), so nobody can tell whether its last lines were cut off\n      ${NEXT}`,
    );
    await expect(stat(keyFile(without))).rejects.toThrow('ENOENT');
  });
});
