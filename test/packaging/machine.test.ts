/** What the script says on machines that lack something. Nothing here runs the programs it asks for. */
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { script } from './assemble.js';

interface Ran {
  code: number;
  output: string;
}
type Exec = (command: string, args: string[]) => Promise<Ran>;
type Check = (env: Record<string, string>, exec: Exec) => Promise<string[]>;

const checks = await script(
  'package/checks.mjs',
  z.object({
    missingTools: z.custom<(platform: string, exec: Exec) => Promise<string[]>>(),
    missingForRelease: z.custom<Check>(),
    missingForDevelopment: z.custom<Check>(),
  }),
);
const keychain =
  (...names: string[]): Exec =>
  async () => ({
    code: 0,
    output: names.map((name, index) => `  ${index + 1}) ${'A'.repeat(40)} "${name}"\n`).join(''),
  });
const NOTARY = { APPLE_KEYCHAIN_PROFILE: 'chaperone' };
const DEVELOPER_ID = 'Developer ID Application: Someone (ABCDE12345)';

describe('[req:AP-PK-9] a machine that cannot make a package', () => {
  it('is told which programs it lacks and how to get them', async () => {
    const exec: Exec = async (_command, args) => ({ code: args[1] === 'command -v xz' ? 1 : 0, output: '' });
    expect(await checks.missingTools('linux', exec)).toEqual([
      'The program xz is missing: sudo apt-get install xz-utils',
    ]);
    expect(await checks.missingTools('darwin', async () => ({ code: 1, output: '' }))).toHaveLength(4);
  });

  it('is told that a release wants a Developer ID and the notary’s credentials', async () => {
    expect(await checks.missingForRelease(NOTARY, keychain(DEVELOPER_ID))).toEqual([]);
    expect(await checks.missingForRelease({ ...NOTARY, CSC_LINK: 'file:///cert.p12' }, keychain())).toEqual([]);
    const [certificate, notary] = await checks.missingForRelease(
      { APPLE_ID: 'a@b.c' },
      keychain('Chaperone Development'),
    );
    expect(certificate).toContain('Developer ID Application');
    expect(notary).toContain('APPLE_ID + APPLE_APP_SPECIFIC_PASSWORD + APPLE_TEAM_ID');
  });

  it('is told which of Apple’s tools for the notary are missing, for a release', async () => {
    const exec: Exec = (command, args) =>
      args[1] === 'stapler' ? Promise.resolve({ code: 72, output: '' }) : keychain(DEVELOPER_ID)(command, args);
    expect(await checks.missingForRelease(NOTARY, exec)).toEqual([expect.stringContaining('stapler is missing')]);
    expect(await checks.missingForDevelopment({}, exec)).toEqual([]);
  });

  it('is told that a development build wants the same identity each time, whichever it is', async () => {
    const named = { CSC_NAME: 'Chaperone Development' };
    expect(await checks.missingForDevelopment(named, keychain('Chaperone Development'))).toEqual([]);
    expect(await checks.missingForDevelopment({}, keychain(DEVELOPER_ID))).toEqual([]);
    expect((await checks.missingForDevelopment(named, keychain(DEVELOPER_ID)))[0]).toContain('--unsigned');
    expect(await checks.missingForDevelopment({}, keychain())).toHaveLength(1);
  });
});

describe('[req:AP-PK-9] Electron', () => {
  interface Wish {
    platform: string;
    arch: string;
    named?: string;
    download?: (options: { version: string; checksums: Record<string, string> }) => Promise<string>;
  }
  const electron = script(
    'package/electron.mjs',
    z.object({ electronFor: z.custom<(wish: Wish) => Promise<string>>() }),
  );
  const linux = { platform: 'linux', arch: 'x64' };

  it('is the one whose checksums came with the npm package', async () => {
    const { electronFor } = await electron;
    const download: Wish['download'] = async ({ version, checksums }) => {
      expect(checksums[`electron-v${version}-linux-x64.zip`]).toMatch(/^[0-9a-f]{64}$/);
      return '/cache/electron.zip';
    };
    expect(await electronFor({ ...linux, download })).toBe('/cache/electron.zip');
  });

  it('that cannot be fetched is told with its reason and three ways out; one that was named wrongly, too', async () => {
    const { electronFor } = await electron;
    const download = () => Promise.reject(new Error('fetch failed', { cause: new Error('ENOTFOUND github.com') }));
    await expect(electronFor({ ...linux, download })).rejects.toThrow(
      /linux-x64.*fetch failed \(ENOTFOUND github\.com\)[^]*ELECTRON_MIRROR[^]*--electron-dist/,
    );
    await expect(electronFor({ ...linux, named: '/nowhere' })).rejects.toThrow('/nowhere');
  });
});

describe('[req:MB-14] the addon', () => {
  type Runs = (bin: string, args: string[]) => Promise<{ code: number }>;
  type Build = (arch: string, how: { platform: string; exec: Runs }) => Promise<boolean>;

  it('is built for the processor asked for, on a Mac only, and a failure is told', async () => {
    const { buildAddon } = await script('addon.mjs', z.object({ buildAddon: z.custom<Build>() }));
    const ran: string[] = [];
    const exec: Runs = async (bin, args) => {
      ran.push([bin, ...args.filter((one) => !one.startsWith('--nodedir'))].join(' '));
      return { code: 1 };
    };
    expect(await buildAddon('x64', { platform: 'linux', exec })).toBe(false);
    expect(ran).toEqual([]);
    expect(await buildAddon('x64', { platform: 'darwin', exec })).toBe(false);
    expect(ran).toEqual(['node-gyp/bin/node-gyp.js rebuild --directory native-addon --arch=x64']);
  });
});

describe('[req:AP-PK-2] native modules', () => {
  const root = mkdtempSync(join(tmpdir(), 'chp-natives-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const lock = (file: string, packages: Record<string, unknown>) =>
    writeFileSync(join(root, file), JSON.stringify({ packages }));

  it('of another processor are asked for by name and version; musl’s are not', async () => {
    const { missingNatives } = await script(
      'package/natives.mjs',
      z.object({ missingNatives: z.custom<(root: string, platform: string, arch: string) => string[]>() }),
    );
    mkdirSync(join(root, 'node_modules'));
    lock('package-lock.json', {
      'node_modules/koffi': { optionalDependencies: { 'k-mac': '1', 'k-linux': '1' } },
      'node_modules/libsql': { optionalDependencies: { 'l-gnu': '3', 'l-musl': '3' } },
      'node_modules/sharp': { optionalDependencies: { 's-linux': '2', 's-musl': '2' } },
      'node_modules/l-gnu': { version: '3.0.0', os: ['linux'], cpu: ['arm64'] },
      'node_modules/l-musl': { version: '3.0.0', os: ['linux'], cpu: ['arm64'] },
      'node_modules/k-mac': { version: '1.0.0', os: ['darwin'], cpu: ['arm64'] },
      'node_modules/k-linux': { version: '1.0.0', os: ['linux'], cpu: ['x64'] },
      'node_modules/s-linux': { version: '2.0.0', os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
      'node_modules/s-musl': { version: '2.0.0', os: ['linux'], cpu: ['x64'], libc: ['musl'] },
    });
    lock('node_modules/.package-lock.json', { 'node_modules/s-linux': { version: '2.0.0' } });
    expect(missingNatives(root, 'linux', 'x64')).toEqual(['k-linux@1.0.0']);
    expect(missingNatives(root, 'linux', 'arm64')).toEqual(['l-gnu@3.0.0']);
    expect(missingNatives(root, 'darwin', 'arm64')).toEqual(['k-mac@1.0.0']);
  });
});
