/** native-addon/ as far as a machine without macOS can judge it: it compiles for both processors, and what NSXPC reads of it is there. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadServiceAddon } from '../../../src/native/xpc/index.js';

const ROOT = join(import.meta.dirname, '../../..');
const SOURCE = join(ROOT, 'native-addon');
const work = mkdtempSync(join(tmpdir(), 'chp-addon-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** Node's own headers where they were installed with it, else what these sources use of them. */
function nodeHeaders(): string {
  const installed = join(dirname(dirname(process.execPath)), 'include/node');
  return existsSync(join(installed, 'node_api.h')) ? installed : join(ROOT, 'test/support/macos-sdk/node');
}

function clang(file: string, target: string, ...more: string[]) {
  const language = ['-x', 'objective-c++', '-std=c++17', '-fobjc-arc', '-fblocks', '-Wall', '-Wextra', '-Werror'];
  const headers = ['-ffreestanding', '-nostdlibinc', '-I', join(ROOT, 'test/support/macos-sdk')];
  return spawnSync(
    'clang',
    [...language, '-target', target, ...headers, '-isystem', nodeHeaders(), '-DNAPI_VERSION=8', ...more, file],
    { encoding: 'utf8' },
  );
}

const TARGETS = ['arm64-apple-macos13', 'x86_64-apple-macos13'];
const clangIsThere = spawnSync('clang', ['--version']).status === 0;

describe.runIf(clangIsThere)('the addon, with clang', () => {
  it.each(TARGETS.flatMap((target) => ['addon.mm', 'service.mm', 'request.mm'].map((file) => [target, file] as const)))(
    '[req:MB-1] for %s: %s compiles without a warning',
    (target, file) => {
      const { status, stderr } = clang(join(SOURCE, file), target, '-fsyntax-only');
      expect(stderr).toBe('');
      expect(status).toBe(0);
    },
  );

  it.each(TARGETS)(
    '[req:MB-1] for %s: a wrong selector and a wrong type are errors, so the check can fail',
    (target) => {
      const text = readFileSync(join(SOURCE, 'service.mm'), 'utf8');
      for (const [right, wrong] of [
        ['initWithMachServiceName:', 'initWithMachService:'],
        ['connection.processIdentifier', 'connection.processIdentifier.length'],
        ['_peers[@(peer.number)] = peer', '_peers[@(peer.number)] = 7'],
      ] as const) {
        const file = join(work, 'wrong.mm');
        expect(text).toContain(right);
        writeFileSync(file, text.replace(right, wrong));
        expect(clang(file, target, '-fsyntax-only', '-I', SOURCE).status, wrong).not.toBe(0);
      }
    },
  );

  it.each(TARGETS)(
    '[req:MB-2] for %s: the protocol has the types of its text and its reply block, as NSXPCInterface reads them',
    (target) => {
      const { stdout, status } = clang(join(SOURCE, 'service.mm'), target, '-S', '-emit-llvm', '-o', '-');
      expect(status).toBe(0);
      const [, name] =
        /@"_OBJC_\$_PROTOCOL_METHOD_TYPES_CHPDesktopBridge" = .*@(OBJC_METH_VAR_TYPE_[.\d]*),/.exec(stdout) ?? [];
      expect(name).toBeDefined();
      const line = stdout.split('\n').find((one) => one.startsWith(`@${name} = `)) ?? '';
      expect(line).toContain(String.raw`c"v32@0:8@\22NSString\2216@?<v@?@\22NSString\22>24\00"`);
      expect(stdout).toContain(String.raw`c"sendMessage:reply:\00"`);
    },
  );
});

describe('building it', () => {
  it('[req:MB-3] happens on a Mac only: npm ci runs nothing, and elsewhere the target is none', () => {
    expect(existsSync(join(ROOT, 'binding.gyp'))).toBe(false);
    const { scripts, workspaces } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<
      string,
      object
    >;
    expect(Object.keys(scripts ?? {}).filter((name) => /^(pre|post)?(install|prepare)$/.test(name))).toEqual([]);
    expect(workspaces).toBeUndefined();
    const read = 'import ast, json, sys; print(json.dumps(ast.literal_eval(open(sys.argv[1]).read())))';
    const gyp = JSON.parse(
      execFileSync('python3', ['-c', read, join(SOURCE, 'binding.gyp')], { encoding: 'utf8' }),
    ) as { targets: [{ conditions: [[string, { sources: string[] }, object]] }] };
    const [condition, mac, elsewhere] = gyp.targets[0].conditions[0];
    expect(condition).toBe('OS=="mac"');
    expect(mac).toMatchObject({
      xcode_settings: { CLANG_ENABLE_OBJC_ARC: 'YES', MACOSX_DEPLOYMENT_TARGET: '13.0' },
      link_settings: { libraries: ['-framework Foundation', '-framework Security'] },
    });
    for (const file of mac.sources) expect(existsSync(join(SOURCE, file)), file).toBe(true);
    expect(elsewhere).toEqual({ type: 'none' });
  });
});

describe('loading it', () => {
  const folder = join(work, 'app.asar.unpacked/dist/native-addon');
  const built = join(folder, 'darwin-arm64/desktop_bridge.node');
  const load = (loaded: () => unknown, given = folder) =>
    loadServiceAddon({ platform: 'darwin', arch: 'arm64', folder: given, load: loaded });

  it('[req:MB-4] says why there is none: another system, not built, not loadable, not what it should be', () => {
    expect(loadServiceAddon({ platform: 'linux' })).toMatchObject({ kind: 'absent', reason: 'platform' });
    expect(load(() => ({}))).toMatchObject({ kind: 'absent', reason: 'missing', why: built });
    mkdirSync(dirname(built), { recursive: true });
    writeFileSync(built, '');
    const broken = () => {
      throw new Error('wrong architecture');
    };
    expect(load(broken)).toEqual({ kind: 'absent', reason: 'broken', why: 'wrong architecture' });
    expect(load(() => ({ listen: 1 }))).toMatchObject({ kind: 'absent', reason: 'broken' });
  });

  it('finds it beside the packaged app’s archive', () => {
    const addon = { listen: () => undefined, request: () => undefined };
    const files: string[] = [];
    const loaded = loadServiceAddon({
      platform: 'darwin',
      arch: 'arm64',
      folder: folder.replace('.unpacked', ''),
      load: (file) => (files.push(file), addon),
    });
    expect(loaded).toEqual({ kind: 'loaded', addon });
    expect(files).toEqual([built]);
  });
});
