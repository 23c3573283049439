/** The Linux app as electron-builder assembles it, around a stand-in for Electron's program. */
import { createRequire } from 'node:module';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { assemble, linuxStandIn, openArchive, ROOT, script, workFolder, type Archive } from './assemble.js';
import { VERSION } from '../../src/main/protocol/local-command.js';
import { startPackaged } from './packaged.js';

const work = workFolder();
const arch = process.arch;
let app: string;
let archive: Archive;
let real: string;

beforeAll(async () => {
  const electron = await linuxStandIn(join(work, 'electron'));
  app = `${await assemble('linux', arch, work, electron)}-unpacked`;
  archive = openArchive(join(app, 'resources/app.asar'));
  real = join(app, 'resources/app.asar.unpacked');
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** Answers everything with itself, and ends where the app waits for it. */
const ELECTRON = `
const part = () => new Proxy(function () {}, {
  get: (_, name) => (name === 'then' || typeof name === 'symbol' ? undefined : name === 'whenReady' ? ready : part()),
  apply: part,
  construct: part,
});
const ready = () => { console.log('ready'); process.exit(0); };
exports.app = part();
exports.protocol = part();
exports.shell = part();
`;

const files = () => [...archive.packed, ...archive.unpacked];

describe('[req:AP-PK-1] the archive', () => {
  it('has program, page, pictures and licence', () => {
    expect(files()).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'dist/main/bundled/packaged.js',
        'dist/main/bundled/licenses.txt',
        'dist/main/app/preload.cjs',
        'dist/main/app/icons/waitingTemplate@2x.png',
        'dist/renderer/index.html',
        'resources/gnome/body.js',
      ]),
    );
    expect(files().filter((file) => /^dist\/renderer\/assets\/.*\.(js|css)$/.test(file)).length).toBeGreaterThan(1);
  });

  it('has no sources, tests, maps or tools', () => {
    const roots = new Set(files().map((file) => file.split('/')[0]));
    expect([...roots].toSorted()).toEqual(['LICENSE', 'dist', 'node_modules', 'package.json', 'resources']);
    expect(files().filter((file) => /\.([cm]?ts|tsx|map|tsbuildinfo|stamp)$/.test(file))).toEqual([]);
    expect(files().filter((file) => /^dist\/native/.test(file))).toEqual([]);
    expect(readdirSync(join(app, 'resources')).toSorted()).toEqual(['app.asar', 'app.asar.unpacked']);
  });

  it('has the packages the program needs, those behind them, and none of those that built it', async () => {
    const manifest = await manifestOf(join(ROOT, 'package.json'));
    const present = new Set(files().flatMap((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []));
    const declared = Object.keys(manifest.dependencies ?? {});
    expect(declared.filter((name) => !present.has(name))).toEqual([]);
    expect(Object.keys(manifest.devDependencies ?? {}).filter((name) => present.has(name))).toEqual([]);
    expect([...present].filter((name) => /electron-builder|vite|typescript|playwright|react/.test(name))).toEqual([]);
  });

  it('says in package.json where to start and what for, and nothing for developers', () => {
    const manifest = z.record(z.string(), z.unknown()).parse(JSON.parse(archive.text('package.json')));
    expect(manifest).toMatchObject({
      name: 'chaperone',
      type: 'module',
      main: 'dist/main/bundled/packaged.js',
      desktopName: 'dev.chaperone.app.desktop',
    });
    expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(['scripts']));
    expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(['devDependencies']));
  });
});

const manifestSchema = z.object({
  dependencies: z.record(z.string(), z.string()).optional(),
  devDependencies: z.record(z.string(), z.string()).optional(),
});
const manifestOf = async (file: string) => manifestSchema.parse(JSON.parse(await readFile(file, 'utf8')));

describe('[req:AP-PK-2] what must be real files', () => {
  const load = (name: string): unknown => createRequire(join(real, 'node_modules/anything.js'))(name);

  it('are native modules of this processor alone, and they load from there', () => {
    const natives = readdirSync(join(real, 'node_modules/@koromix'));
    expect(natives).toEqual([`koffi-linux-${arch}`]);
    expect(readdirSync(join(real, 'node_modules/@img')).toSorted()).toEqual([
      `sharp-libvips-linux-${arch}`,
      `sharp-linux-${arch}`,
    ]);
    expect(readdirSync(join(real, 'node_modules/@libsql'))).toEqual([`linux-${arch}-gnu`]);
    expect(load(`@koromix/koffi-linux-${arch}`)).toHaveProperty('load');
    expect(load(`@libsql/linux-${arch}-gnu`)).toHaveProperty('databaseOpen');
    expect(load(`@img/sharp-linux-${arch}/sharp.node`)).toHaveProperty('libvipsVersion');
    expect(archive.packed.filter((file) => /\.(node|so|dylib|wasm|gz)(\.\d+)*$/.test(file))).toEqual([]);
  });

  it('are all that text recognition loads: its thread starts and reads its data with nothing else at hand', async () => {
    const thread = new Worker(join(real, 'dist/main/bundled/recognition-main.mjs'), { env: {} });
    const data = await readFile(join(real, 'node_modules/@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz'));
    const ask = (action: string, payload: unknown) =>
      new Promise((resolve, reject) => {
        thread.on('error', reject);
        thread.on('message', (message: { jobId: string; status: string }) => {
          if (message.jobId === action && message.status !== 'progress') resolve(message.status);
        });
        thread.postMessage({ workerId: 'packaging', jobId: action, action, payload });
      });
    try {
      expect(await ask('load', { options: { lstmOnly: true, logging: false } })).toBe('resolve');
      const langs = [{ code: 'eng', data }];
      const options = { cacheMethod: 'none', lstmOnly: true };
      expect(await ask('loadLanguage', { langs, options })).toBe('resolve');
      expect(await ask('initialize', { langs: 'eng', oem: 1, config: {} })).toBe('resolve');
    } finally {
      await thread.terminate();
    }
  });
});

describe('[req:AP-PK-3] the program', () => {
  it('is named as the command, and its fuses are closed in the file itself', async () => {
    const { fusesOf } = await script(
      'package/fuses.mjs',
      z.object({ fusesOf: z.custom<(file: string) => Promise<Record<string, boolean>>>() }),
    );
    expect(statSync(join(app, 'chaperone')).mode & 0o111).toBe(0o111);
    expect(await fusesOf(join(app, 'chaperone'))).toEqual({
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
    });
    expect(existsSync(join(app, 'LICENSE.electron.txt'))).toBe(true);
  });

  it('[req:AP-PK-4] runs the commands of chaperone from what is in the package alone', async () => {
    const folder = join(work, 'plain');
    archive.extract(folder);
    const packaged = startPackaged(folder, join(work, 'home'));
    try {
      expect(await packaged.run(['--version'])).toMatchObject({ code: 0, stdout: `${VERSION}\n` });
      expect(await packaged.run(['--remote-debugging-port=0'])).toMatchObject({ code: 2, stdout: '' });
      const url = await packaged.host();
      const page = await (await fetch(url)).text();
      const asset = /src="\.(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? 'none';
      expect((await fetch(`${url}${asset}`)).headers.get('content-type')).toContain('javascript');
      const tools = await packaged.run([join(folder, 'app.asar/dist/main/cli/index.js'), 'tools']);
      expect(tools.stdout).toContain('list_displays');
    } finally {
      await packaged.close();
    }
  });

  it('opens the app, with all that it loads before Electron is ready', async () => {
    const folder = join(work, 'opened');
    archive.extract(folder);
    const electron = join(folder, 'node_modules/electron');
    mkdirSync(electron);
    writeFileSync(join(electron, 'package.json'), '{ "name": "electron", "main": "index.js" }');
    writeFileSync(join(electron, 'index.js'), ELECTRON);
    const opened = startPackaged(folder, join(work, 'opened-home'));
    try {
      expect(await opened.run([])).toEqual({ code: 0, stdout: 'ready\n', stderr: '' });
    } finally {
      await opened.close();
    }
  });
});
