/** The macOS app as electron-builder assembles it on any machine: unsigned, around a hand-made Electron.app. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { VERSION } from '../../src/main/protocol/local-command.js';
import { assemble, library, macStandIn, openArchive, plistOf, ROOT, script, workFolder } from './assemble.js';

const work = workFolder();
let app: string;
const text = (file: string) => readFileSync(file, 'utf8');
const inApp = (path: string) => join(app, 'Contents', path);

async function channel(address: string | undefined, platform: string): Promise<string[]> {
  const shape = z.object({ channelArgs: z.custom<(address: string | undefined, platform: string) => string[]>() });
  return (await script('package/channel.mjs', shape)).channelArgs(address, platform);
}

beforeAll(async () => {
  app = join(
    await assemble(
      'mac',
      'arm64',
      work,
      macStandIn(join(work, 'electron')),
      await channel('https://updates.example/chaperone', 'darwin'),
    ),
    'Chaperone.app',
  );
});
afterAll(() => {
  rmSync(work, { recursive: true, force: true });
});

describe('[req:AP-PK-5] the macOS app', () => {
  it('says who it is, stays out of the Dock, and explains the one thing it asks through macOS', () => {
    const info = plistOf(text(inApp('Info.plist')));
    expect(info).toMatchObject({
      CFBundleIdentifier: 'dev.chaperone.app',
      CFBundleName: 'Chaperone',
      CFBundleExecutable: 'Chaperone',
      CFBundleShortVersionString: VERSION,
      LSApplicationCategoryType: 'public.app-category.developer-tools',
      LSMinimumSystemVersion: '13.0',
      LSUIElement: true,
      NSUserNotificationAlertStyle: 'alert',
      NSAppleEventsUsageDescription: 'Chaperone runs scripts in other apps when you allow it.',
    });
    expect(Object.keys(info).filter((key) => key.endsWith('UsageDescription'))).toEqual([
      'NSAppleEventsUsageDescription',
    ]);
  });

  it('carries the archive’s hash, which the fuse makes Electron check', async () => {
    const info = z
      .object({ ElectronAsarIntegrity: z.record(z.string(), z.object({ algorithm: z.string(), hash: z.string() })) })
      .parse(plistOf(text(inApp('Info.plist'))));
    const archive = readFileSync(inApp('Resources/app.asar'));
    const header = archive.subarray(16, 16 + archive.readUInt32LE(12));
    expect(info.ElectronAsarIntegrity).toEqual({
      'Resources/app.asar': { algorithm: 'SHA256', hash: createHash('sha256').update(header).digest('hex') },
    });
    const { wrongFuses } = await script(
      'package/fuses.mjs',
      z.object({ wrongFuses: z.custom<(file: string, wanted: unknown) => Promise<string[]>>() }),
    );
    const yaml = z.object({ load: z.custom<(text: string) => unknown>() }).parse(library('js-yaml'));
    const { electronFuses } = z
      .object({ electronFuses: z.record(z.string(), z.boolean()) })
      .parse(yaml.load(text(join(ROOT, 'electron-builder.yml'))));
    expect(await wrongFuses(app, electronFuses)).toEqual([]);
    expect(await wrongFuses(join(work, 'electron/Electron.app'), electronFuses)).toContain('runAsNode');
  });

  it('has no code for another system, and its icon', () => {
    const { packed, unpacked } = openArchive(inApp('Resources/app.asar'));
    expect(
      [...packed, ...unpacked].filter((file) => /node_modules\/@(koromix|img)\/[^/]*(linux|x64)/.test(file)),
    ).toEqual([]);
    expect(packed).toContain('dist/main/bundled/packaged.js');
    expect(readFileSync(inApp('Resources/icon.icns')).subarray(0, 4).toString()).toBe('icns');
    expect(readdirSync(inApp('Resources'))).not.toContain('electron.icns');
  });

  it('[req:MB-14] [req:MP-9] has both addons as real files, for its own processor', () => {
    const { packed, unpacked } = openArchive(inApp('Resources/app.asar'));
    const addons = (files: readonly string[]) =>
      files.filter((file) => file.startsWith('dist/native-addon/') && file.endsWith('.node')).toSorted();
    expect([addons(packed), addons(unpacked)]).toEqual([
      [],
      ['desktop_bridge.node', 'permissions.node'].map((name) => `dist/native-addon/darwin-arm64/${name}`),
    ]);
  });

  it('[req:AP-PK-10] has the update address it was made with', async () => {
    expect(text(inApp('Resources/app-update.yml'))).toBe(
      'provider: generic\nurl: https://updates.example/chaperone\nupdaterCacheDirName: chaperone-updater\n',
    );
    expect(await channel(undefined, 'darwin')).toEqual([]);
    for (const address of ['http://updates.example/', 'file:///tmp', 'updates.example'])
      await expect(channel(address, 'darwin')).rejects.toThrow('takes an https address');
    await expect(channel('https://updates.example/', 'linux')).rejects.toThrow('no update channel');
  });

  it('[req:AP-PK-10] has the other processor’s package of the same version beside it in the channel file', async () => {
    const { finishChannel } = await script(
      'package/channel.mjs',
      z.object({ finishChannel: z.custom<(folder: string, before: string | null) => Promise<string[]>>() }),
    );
    const made = (version: string, arch: string) =>
      `version: ${version}\nfiles:\n  - url: a-${version}-${arch}.zip\n    sha512: x\n`;
    const folder = join(work, 'channel');
    mkdirSync(folder);
    writeFileSync(join(folder, 'latest-mac.yml'), made('2.0.0', 'x64'));
    await expect(finishChannel(folder, made('2.0.0', 'arm64'))).resolves.toEqual([
      'a-2.0.0-x64.zip',
      'a-2.0.0-arm64.zip',
      'latest-mac.yml',
    ]);
    writeFileSync(join(folder, 'latest-mac.yml'), made('3.0.0', 'arm64'));
    await expect(finishChannel(folder, made('2.0.0', 'arm64'))).resolves.toEqual([
      'a-3.0.0-arm64.zip',
      'latest-mac.yml',
    ]);
  });

  it('[req:AP-PK-6] has the service’s LaunchAgent where SMAppService looks, naming a program that is there', () => {
    const agent = plistOf(text(inApp('Library/LaunchAgents/com.msgcode.desktop.bridge.plist')));
    expect(agent).toEqual({
      Label: 'com.msgcode.desktop.bridge',
      BundleProgram: 'Contents/MacOS/Chaperone',
      AssociatedBundleIdentifiers: ['dev.chaperone.app'],
      MachServices: { 'com.msgcode.desktop.bridge': true },
      LimitLoadToSessionType: 'Aqua',
      ProcessType: 'Interactive',
    });
    expect(readdirSync(inApp('MacOS'))).toEqual(['Chaperone']);
  });

  it('[req:AP-PK-4] has the command chaperone, which finds the app through links and passes every word on', () => {
    writeFileSync(inApp('MacOS/Chaperone'), '#!/bin/sh\nprintf "%s|" "$0" "$@"\n');
    chmodSync(inApp('MacOS/Chaperone'), 0o755);
    const bin = join(work, 'a bin');
    mkdirSync(bin);
    symlinkSync(inApp('Resources/bin/chaperone'), join(bin, 'first'));
    symlinkSync('first', join(bin, 'chaperone'));
    const run = (...words: string[]) => execFileSync(join(bin, 'chaperone'), words, { encoding: 'utf8' }).split('|');
    expect(run('call', 'x', '--args', '{"a": "b c"}', '').slice(1, -1)).toEqual([
      'call',
      'x',
      '--args',
      '{"a": "b c"}',
      '',
    ]);
    expect(run().slice(1, -1)).toEqual(['help']);
    expect(run()[0]).toMatch(/Chaperone\.app\/Contents\/MacOS\/Chaperone$/);
  });
});
