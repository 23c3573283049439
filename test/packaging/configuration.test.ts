/** What is configured, read without building anything. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { library, plistOf, ROOT, script } from './assemble.js';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const yaml = z.object({ load: z.custom<(text: string) => unknown>() }).parse(library('js-yaml'));
const record = z.record(z.string(), z.unknown());
const configuration = record.parse(yaml.load(read('electron-builder.yml')));

describe('[req:AP-PK-7] the configuration', () => {
  const { DebugLogger } = z
    .object({ DebugLogger: z.custom<new (on: boolean) => object>() })
    .parse(library('builder-util'));
  const { validateConfiguration } = z
    .object({ validateConfiguration: z.custom<(value: unknown, log: object) => Promise<void>>() })
    .parse(library(join(dirname(library.resolve('app-builder-lib')), 'util/config/config')));
  const validate = (value: unknown) => validateConfiguration(value, new DebugLogger(false));

  it('is one that electron-builder takes', async () => {
    await validate(structuredClone(configuration));
    await expect(validate({ ...configuration, electronFuses: { runAsnode: false } })).rejects.toThrow('electronFuses');
  });

  it('closes every way to make the program something else', () => {
    expect(configuration['electronFuses']).toEqual({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      enableCookieEncryption: true,
      grantFileProtocolExtraPrivileges: false,
      loadBrowserProcessSpecificV8Snapshot: false,
    });
    expect(configuration).toMatchObject({ asar: true, publish: null, mac: { hardenedRuntime: true, notarize: true } });
  });

  it('signs what has no identity ad hoc: Apple’s processors start nothing with changed fuses and no signature', async () => {
    const { builderArgs } = await script(
      'package/builder.mjs',
      z.object({ builderArgs: z.custom<(options: object, dist: string) => string[]>() }),
    );
    const wanted = { platform: 'darwin', arch: 'arm64', dir: true, channel: [] };
    const identities = (unsigned: boolean) =>
      builderArgs({ ...wanted, unsigned }, '/dist').filter((each) => each.startsWith('-c.mac.identity'));
    expect([identities(true), identities(false)]).toEqual([['-c.mac.identity=-'], []]);
  });

  it('makes dmg and zip, AppImage and deb', () => {
    expect(configuration).toMatchObject({ mac: { target: ['dmg', 'zip'] }, linux: { target: ['AppImage', 'deb'] } });
  });

  it('recommends with the deb what the virtual desktop needs, and makes nothing of it a must', async () => {
    const { PACKAGES } = await script(
      'lib/packages.mjs',
      z.object({ PACKAGES: z.object({ desktop: z.array(z.string()) }) }),
    );
    const { deb } = z.object({ deb: z.object({ recommends: z.array(z.string()) }) }).parse(configuration);
    expect(deb.recommends).toEqual(expect.arrayContaining(PACKAGES.desktop));
    expect(Object.keys(deb)).toEqual(['recommends']);
  });
});

describe('the names in it', () => {
  it('are called placeholders in the release procedure for as long as they are', () => {
    const { extraMetadata, linux } = z
      .object({ extraMetadata: z.object({ homepage: z.url() }), linux: z.object({ maintainer: z.string() }) })
      .parse(configuration);
    expect(linux.maintainer).toMatch(/^\S.* <\S+@\S+>$/);
    const placeholders = [extraMetadata.homepage, linux.maintainer].filter((name) => /\.example\b/.test(name));
    if (placeholders.length > 0) expect(read('docs/release.md')).toContain('are **placeholders**');
    expect(JSON.parse(read('package.json'))).toHaveProperty('author');
  });
});

describe('[req:AP-PK-8] the entitlements', () => {
  it('are two for the app and one for its helpers, each with a reason above it', () => {
    const app = read('entitlements.plist');
    const helpers = read('entitlements.inherit.plist');
    expect(plistOf(app)).toEqual({
      'com.apple.security.cs.allow-jit': true,
      'com.apple.security.automation.apple-events': true,
    });
    expect(plistOf(helpers)).toEqual({ 'com.apple.security.cs.allow-jit': true });
    for (const file of [app, helpers])
      expect(file.match(/<key>/g)?.length).toBe(file.match(/<!-- .+ -->\s*<key>/g)?.length);
    expect(configuration).toMatchObject({
      mac: { entitlements: 'entitlements.plist', entitlementsInherit: 'entitlements.inherit.plist' },
    });
  });
});

describe('the files of the npm package', () => {
  it('are what runs and what explains it', () => {
    const { files, bin } = z
      .object({ files: z.array(z.string()), bin: z.record(z.string(), z.string()) })
      .parse(JSON.parse(read('package.json')));
    expect(files.filter((pattern) => !pattern.startsWith('!')).toSorted()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist/main/bundled',
      'dist/main/cli/index.js',
      'dist/renderer',
      'docs/**/*.md',
      'resources/gnome',
    ]);
    expect(bin).toEqual({ chaperone: 'dist/main/cli/index.js' });
  });
});
