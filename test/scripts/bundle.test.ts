/** Which files a start reads, by what V8 says was loaded. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import * as z from 'zod';
import { createHome, ENTRY, type Home } from '../support/command.js';
import { eventually } from '../support/eventually.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const coverage = z.object({ result: z.array(z.object({ url: z.string() })) });

let home: Home;
let folder: string;
beforeEach(() => {
  home = createHome();
  folder = join(home.path, 'loaded');
});
afterEach(() => home.close());

/** Files that processes with this variable loaded until they ended. */
const told = () => ({ NODE_V8_COVERAGE: folder });
const loaded = (): string[] =>
  readdirSync(folder)
    .flatMap((name) => coverage.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))).result)
    .flatMap(({ url }) => (url.startsWith('file:') ? [fileURLToPath(url)] : []));

const own = (): string[] => loaded().filter((file) => !file.includes('node_modules'));
/** Of the bundle, without the hashes in their names. */
const files = (): string[] =>
  [...new Set(own().map((file) => basename(file, '.js').replace(/-[\w-]{8}$/, '')))].filter((name) => name !== 'index').toSorted(); // prettier-ignore
const packages = (): string[] =>
  [...new Set(loaded().flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []))].toSorted();

/** A host that is told nothing; the commands after it find it running. */
async function startHost(env: Record<string, string> = {}) {
  const host = home.start(['host', '--port', '0'], env);
  await eventually(host.stdout).toMatch(/^http:/);
  return async () => {
    host.child.kill('SIGTERM');
    expect(await host.ended).toMatchObject({ code: 0 });
  };
}

describe('[req:TI-4] what a start loads', () => {
  it('of the shim: few files of the bundle, and of packages only native code', async () => {
    const stop = await startHost();
    const shim = home.start(['mcp'], told());
    shim.child.stdin?.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}\n'); // prettier-ignore
    await eventually(shim.stdout).toContain('"serverInfo"');
    shim.child.stdin?.end();
    expect(await shim.ended).toMatchObject({ code: 0 });
    await stop();
    expect(own().filter((file) => !file.includes('/dist/main/bundled/'))).toEqual([ENTRY]);
    expect(files()).toEqual(['common', 'main', 'mcp', 'rolldown-runtime', 'shim', 'start']);
    expect(packages().filter((name) => !name.includes('koffi'))).toEqual([]);
  });

  it('of the host: few files of the bundle, and no library for pictures before the first', async () => {
    await (
      await startHost(told())
    )();
    expect(own().filter((file) => !file.includes('/dist/main/bundled/'))).toEqual([ENTRY]);
    expect(files()).toEqual([
      'common',
      'host',
      'libsql',
      'main',
      'pipeline',
      'rolldown-runtime',
      'run',
      'running-host',
      'simulated',
      'start',
      'tools',
    ]);
    expect(packages().filter((name) => !/koffi|libsql/.test(name))).toEqual([]);
  });

  it('of the help: no package', async () => {
    expect(await home.run(['--help'], told())).toMatchObject({ code: 0 });
    expect(files()).toEqual(['main', 'rolldown-runtime', 'start']);
    expect(packages()).toEqual([]);
  });
});

test('[req:TI-9] what V8 makes of the code is kept beside the code, where Node can', async () => {
  const newer = join(home.path, 'newer-node.cjs');
  writeFileSync(
    newer,
    "require('node:module').enableCompileCache = (dir) => process.stderr.write(`kept in ${dir}\\n`);",
  );
  const { stderr, stdout } = await home.run(['--help'], { NODE_OPTIONS: `--require=${newer}` });
  expect(stderr).toBe(`kept in ${join(ROOT, 'dist/compile-cache')}\n`);
  expect(stdout).toContain('Usage');
});

describe('a bundle', () => {
  it('that is older than the compiled modules is not started', () => {
    const copy = join(home.path, 'copy');
    mkdirSync(copy);
    cpSync(join(ROOT, 'package.json'), join(copy, 'package.json'));
    const filter = (file: string) => !/dist\/(?:renderer|test-|compile-cache)|\.(?:map|d\.c?ts)$/.test(file);
    cpSync(join(ROOT, 'dist'), join(copy, 'dist'), { recursive: true, preserveTimestamps: true, filter });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    const help = () => spawnSync(process.execPath, [join(copy, 'dist/main/cli/index.js'), '--help'], { env: { ...home.env, ...told() } }); // prettier-ignore
    expect(help().status).toBe(0);
    expect(own()).not.toContain(join(copy, 'dist/main/cli/main.js'));
    const now = Date.now() / 1_000;
    utimesSync(join(copy, 'dist/main.tsbuildinfo'), now, now);
    expect(help().status).toBe(0);
    expect(own()).toContain(join(copy, 'dist/main/cli/main.js'));
  });

  it('has the processes that are started by their paths beside the code that starts them', () => {
    for (const entry of ['main.js', 'supervisor-main.js', 'helper-main.js']) {
      expect(existsSync(join(ROOT, 'dist/main/bundled', entry))).toBe(true);
    }
  });

  it('has the shim without the SDK, which only a host needs, and none with a validator', () => {
    const bundled = join(ROOT, 'dist/main/bundled');
    const codeOf = (names: RegExp) =>
      readdirSync(bundled)
        .flatMap((name) => (names.test(name) ? readFileSync(join(bundled, name), 'utf8') : []))
        .join('');
    const sdk = 'StdioListenRouter';
    expect(codeOf(/^running-host-.*\.js$/)).toContain(sdk);
    expect(codeOf(/^(?:start|common|shim|mcp)-.*\.js$/)).not.toContain(sdk);
    expect(codeOf(/\.js$/)).not.toContain('ajvProvider');
  });

  it('has every extension of the X server that the backend asks for, and not those that nothing asks for', () => {
    const sources = readdirSync(join(ROOT, 'src/native/linux'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(ROOT, 'src/native/linux', name), 'utf8'));
    const asked = sources.flatMap((code) => [...code.matchAll(/\.extension\('([\w-]+)'\)/g)].map(([, name]) => name));
    const bundled = join(ROOT, 'dist/main/bundled');
    const code = readdirSync(bundled).map((name) => readFileSync(join(bundled, name), 'utf8')).join('\n'); // prettier-ignore
    const leftOut = [...code.matchAll(/not in the bundle: \S+\/ext\/([\w-]+)\.js/g)].map(([, name]) => name);
    expect(leftOut).toContain('glx');
    expect(asked).toContain('xtest');
    expect(asked.filter((name) => leftOut.includes(name))).toEqual([]);
  });

  it('has the licences of what is in it', () => {
    const licences = readFileSync(join(ROOT, 'dist/main/bundled/licenses.txt'), 'utf8');
    for (const name of ['zod', 'commander', '@modelcontextprotocol/server', 'ws']) expect(licences).toContain(name);
  });
});
