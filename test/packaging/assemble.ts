/** electron-builder at work on a stand-in for Electron's own program, which has its fuses and nothing else. Nothing here needs a network. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as z from 'zod';

export const ROOT = join(import.meta.dirname, '../..');
const builder = createRequire(createRequire(import.meta.url).resolve('electron-builder'));
export const library = createRequire(builder.resolve('app-builder-lib'));

/** What Electron's program carries: a name to find it by, a version, how many, and one digit each. Everything a default may open is open. */
const FUSE_WIRE = Buffer.concat([
  Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX', 'latin1'),
  Buffer.from([1, 8]),
  Buffer.from('10110101', 'latin1'),
]);

const plist = z
  .object({ parse: z.custom<(text: string) => unknown>(), build: z.custom<(value: unknown) => string>() })
  .parse(library('plist'));
const asar = z
  .object({
    createPackage: z.custom<(folder: string, archive: string) => Promise<void>>(),
    listPackage: z.custom<(archive: string, options: { isPack: boolean }) => string[]>(),
    extractFile: z.custom<(archive: string, file: string) => Buffer>(),
    extractAll: z.custom<(archive: string, folder: string) => void>(),
  })
  .parse(library('@electron/asar'));

const record = z.record(z.string(), z.unknown());

export const plistOf = (text: string): Record<string, unknown> => record.parse(plist.parse(text));

function put(file: string, content: string | Buffer, mode = 0o644): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content, { mode });
}

/** A folder with the shape of an unpacked Electron for Linux, sample app included. */
export async function linuxStandIn(folder: string): Promise<string> {
  put(join(folder, 'sample/main.js'), '');
  mkdirSync(join(folder, 'resources'));
  await asar.createPackage(join(folder, 'sample'), join(folder, 'resources/default_app.asar'));
  put(join(folder, 'electron'), Buffer.concat([Buffer.from('#!/bin/sh\n'), FUSE_WIRE]), 0o755);
  put(join(folder, 'chrome-sandbox'), '');
  put(join(folder, 'version'), '0');
  put(join(folder, 'LICENSE'), 'Electron');
  return folder;
}

/** The same for macOS, with the parts of Electron's Info.plist that matter. */
export function macStandIn(folder: string): string {
  const contents = join(folder, 'Electron.app/Contents');
  put(join(contents, 'MacOS/Electron'), '', 0o755);
  put(join(contents, 'Resources/electron.icns'), '');
  put(join(contents, 'Frameworks/Electron Framework.framework/Electron Framework'), FUSE_WIRE, 0o755);
  const helper = 'Frameworks/Electron Helper.app/Contents';
  put(join(contents, helper, 'MacOS/Electron Helper'), '', 0o755);
  put(join(contents, helper, 'Info.plist'), plist.build({ CFBundleIdentifier: 'com.github.Electron.helper' }));
  put(
    join(contents, 'Info.plist'),
    plist.build({
      CFBundleExecutable: 'Electron',
      CFBundleIdentifier: 'com.github.Electron',
      CFBundleIconFile: 'electron.icns',
      CFBundleVersion: '0',
      NSCameraUsageDescription: 'This app needs access to the camera',
      NSMicrophoneUsageDescription: 'This app needs access to the microphone',
      NSBluetoothAlwaysUsageDescription: 'This app needs access to Bluetooth',
    }),
  );
  return folder;
}

/** A folder of its own for one run; whoever made it removes it. */
export function workFolder(): string {
  return mkdtempSync(join(tmpdir(), 'chp-pack-'));
}

const drawing = z.object({ drawIcons: z.custom<(root: string, folder: string) => Promise<void>>() });

/** The folder that holds the assembled app. Throws with electron-builder's own words. */
export async function assemble(
  platform: 'linux' | 'mac',
  arch: string,
  work: string,
  electronDist: string,
  more: string[] = [],
) {
  const output = join(work, 'out');
  const icons = join(work, 'icons');
  await (await script('package/icons.mjs', drawing)).drawIcons(ROOT, icons);
  const args = [
    builder.resolve('electron-builder/cli.js'),
    `--${platform}`,
    'dir',
    `--${arch}`,
    '--publish=never',
    `-c.electronDist=${electronDist}`,
    `-c.directories.output=${output}`,
    `-c.${platform}.icon=${platform === 'mac' ? join(icons, 'icon.icns') : icons}`,
    ...more,
    ...(platform === 'mac' ? ['-c.mac.identity=null', '-c.mac.notarize=false'] : []),
  ];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let words = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (words += String(chunk)));
  const [code, signal]: (number | string | null)[] = await once(child, 'close');
  if (code !== 0) throw new Error(`electron-builder ended with ${code ?? signal}: ${words}`);
  return join(output, `${platform === 'mac' ? 'mac' : 'linux'}${arch === 'x64' ? '' : `-${arch}`}`);
}

const LISTED = /^(un)?pack\s*:\s*[\\/](.*)$/;

export interface Archive {
  /** Files and folders below the root, without a slash in front. */
  packed: string[];
  /** Those that lie beside the archive as real files. */
  unpacked: string[];
  text(file: string): string;
  /** Everything as plain files, wherever it lay. */
  extract(folder: string): void;
}

export function openArchive(file: string): Archive {
  const entries = asar.listPackage(file, { isPack: true }).flatMap((line) => {
    const [, un, path] = LISTED.exec(line) ?? [];
    return path === undefined ? [] : [{ path, real: un === 'un' }];
  });
  return {
    packed: entries.filter(({ real }) => !real).map(({ path }) => path),
    unpacked: entries.filter(({ real }) => real).map(({ path }) => path),
    text: (path) => asar.extractFile(file, path).toString('utf8'),
    extract: (folder) => asar.extractAll(file, folder),
  };
}

/** Of the scripts, which are plain JavaScript. */
export async function script<T>(path: string, shape: z.ZodType<T>): Promise<T> {
  return shape.parse(await import(new URL(`../../scripts/${path}`, import.meta.url).href));
}
