import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { hostOptions } from '../../src/main/cli/host-options.js';
import { parseArguments } from '../../src/main/cli/call.js';
import { loadServiceAddon, type LoadedAddon } from '../../src/native/xpc/index.js';
import { checkMachine } from '../../src/main/host/doctor.js';
import { registration } from '../../src/main/setup/index.js';
import { hostPaths, readBridge } from '../../src/main/host/discovery.js';
import { until } from '../shim/support.js';
import { createHome } from '../support/command.js';
import { openRpc } from '../support/rpc.js';

const home = mkdtempSync(join(tmpdir(), 'chp-home-'));
mkdirSync(join(home, 'work'));
afterAll(() => rmSync(home, { recursive: true }));

const paths = { config: '/c', state: '/s', runtime: '/r', isolated: false };
const place = (env: Record<string, string> = {}) => ({
  env: { HOME: home, ...env },
  cwd: '/here',
  home,
  paths,
});

describe('hostOptions', () => {
  it('[req:DS-8-3] has the home folder, no fixed port, and leaves it to the backend which desktop is at hand', () => {
    expect(hostOptions({}, place())).toMatchObject({
      workspaceRoot: home,
      backend: 'auto',
      display: 'current',
      narrow: false,
      background: false,
    });
    expect(hostOptions({}, place())).not.toHaveProperty('port');
    expect(hostOptions({ backend: 'linux' }, place({}))).toMatchObject({ display: 'virtual' });
    expect(hostOptions({}, place({ DISPLAY: ':0' }))).toMatchObject({ display: 'current' });
  });

  it('[req:DS-10-2] prefers the command line to the environment', () => {
    const env = { PORT: '1234', WORKSPACE_ROOT: '/env', CHAPERONE_BACKEND: 'simulated' };
    expect(hostOptions({}, place(env))).toMatchObject({ port: 1234, workspaceRoot: '/env', backend: 'simulated' });
    const flags = { port: '0', workspaceRoot: 'flag', backend: 'linux', display: 'current', tcp: '0' } as const;
    expect(hostOptions(flags, place(env))).toMatchObject({
      port: 0,
      workspaceRoot: '/here/flag',
      backend: 'linux',
      display: 'current',
      tcp: 0,
    });
  });

  it('has the same port for MCP over HTTP each time, where it is asked for without one', () => {
    expect(hostOptions({ http: true }, place())).toMatchObject({ http: 7866 });
    expect(hostOptions({ http: '0' }, place())).toMatchObject({ http: 0 });
    expect(hostOptions({}, place({ HTTP: '1' }))).not.toHaveProperty('http');
  });

  it('[req:DS-10-3] takes a policy from the command line only', () => {
    expect(hostOptions({}, place({ CHAPERONE_POLICY: 'unattended', POLICY: 'unattended' }))).not.toHaveProperty(
      'policy',
    );
    expect(hostOptions({ policy: 'unattended' }, place())).toMatchObject({ policy: 'unattended' });
    expect(hostOptions({ policy: 'my.json' }, place())).toMatchObject({ policy: '/here/my.json' });
  });

  it('[req:DS-6-32] lets a shim’s environment make the workspace smaller, never larger', () => {
    const root = (folder: string) => hostOptions({ background: true }, place({ WORKSPACE_ROOT: folder })).workspaceRoot;
    expect(root(join(home, 'work'))).toBe(join(home, 'work'));
    for (const folder of ['/', '/etc', join(home, '..')]) expect(root(folder)).toBe(home);
  });

  it('is narrow where a shim chose the folders of settings', () => {
    const narrow = (env: Record<string, string>) => hostOptions({ background: true }, place(env)).narrow;
    expect(narrow({})).toBe(false);
    expect(narrow({ CHAPERONE_HOME: '/tmp/x' })).toBe(true);
    expect(narrow({ XDG_CONFIG_HOME: '/tmp/x' })).toBe(true);
    expect(narrow({ HOME: '/tmp/x' })).toBe(true);
  });

  it('refuses what it cannot mean', () => {
    for (const flags of [
      { port: 'x' },
      { port: '65536' },
      { tcp: '-1' },
      { background: true, policy: 'unattended' },
      { background: true, printPairing: true },
      { background: true, acceptSyntheticInput: true },
    ]) {
      expect(() => hostOptions(flags, place())).toThrow();
    }
    expect(() => hostOptions({}, place({ CHAPERONE_BACKEND: 'windows' }))).toThrow(/auto, macos, linux, simulated/);
    expect(() => hostOptions({}, place({ WORKSPACE_ROOT: 'relative' }))).toThrow(/absolute/);
    expect(() => hostOptions({}, place({ PORT: 'http' }))).toThrow(/PORT/);
  });
});

describe('arguments of call', () => {
  it('are a JSON object', () => {
    expect(parseArguments('{"a":1}')).toEqual({ a: 1 });
    for (const text of ['', '1', 'null', '[]', '{', '"x"']) expect(() => parseArguments(text)).toThrow(/JSON object/);
  });
});

describe('setup', () => {
  const server = { command: '/opt/node', args: ['/opt/it is/index.js', 'mcp'] };

  it('[req:DS-10-5] writes absolute paths and time limits that fit', () => {
    expect(registration('codex', server).text).toContain('tool_timeout_sec = 1800');
    expect(registration('codex', server).text).toContain(
      'args = ["/opt/it is/index.js", "mcp", "--call-limit", "1740"]',
    );
    const json = /'(.*)'$/.exec(registration('claude', server).text)?.[1] ?? '';
    expect(JSON.parse(json)).toMatchObject({ type: 'stdio', command: '/opt/node', timeout: 1_800_000 });
    expect(JSON.parse(registration('cursor', server).text)).toHaveProperty('mcpServers.chaperone.command', '/opt/node');
    expect(JSON.parse(registration('vscode', server).text)).toHaveProperty('servers.chaperone.args', server.args);
  });

  it('knows no other client, not even by an inherited name', () => {
    for (const name of ['emacs', 'constructor', '__proto__'])
      expect(() => registration(name, server)).toThrow(/claude, codex/);
  });
});

it('[req:GT-7.3-2] says how many events GABP keeps, and how many connections there are', () => {
  const flags = { eventBuffer: '7', maxConnections: '9' };
  expect(hostOptions(flags, place()).gabp).toMatchObject({ maxEvents: 7, maxConnections: 9 });
  for (const eventBuffer of ['0', '-1', 'many', '1e9'])
    expect(() => hostOptions({ eventBuffer }, place())).toThrow(/event-buffer/);
});

it('[req:BC-2.1-1] a host that is started with WORKSPACE_ROOT takes work in that folder and nowhere else', async () => {
  const own = createHome();
  const root = mkdtempSync(join(tmpdir(), 'chp-root-'));
  try {
    const host = own.start(['host'], { WORKSPACE_ROOT: root });
    await until(() => host.stdout().includes('\n') || host.child.exitCode !== null);
    const rpc = await openRpc(readBridge(hostPaths(own.env))?.socket ?? '', root);
    expect(await rpc.result('desktop.health')).toMatchObject({ hostVersion: expect.any(String) });
    expect(await rpc.error('desktop.health', {}, { workspacePath: own.path })).toMatchObject({
      code: 'DESKTOP_WORKSPACE_FORBIDDEN',
    });
    rpc.close();
  } finally {
    await own.close();
    rmSync(root, { recursive: true });
  }
});

describe('doctor', () => {
  const check = (env: Record<string, string>, programs: string[]) =>
    checkMachine({ platform: 'linux', env, has: (name) => programs.includes(name), addon: loadServiceAddon });
  const onMac = (addon: LoadedAddon) =>
    checkMachine({ platform: 'darwin', env: {}, has: () => false, addon: () => addon })[1];

  it('[req:DS-10-7] names the packages that are missing, and fails only where they are needed', () => {
    const [, , bare] = check({}, ['Xvfb']);
    expect(bare).toMatchObject({ ok: false, seen: { params: { programs: 'openbox, dbus-daemon' } } });
    expect(bare?.command).toContain('openbox dbus-daemon');
    expect(check({ DISPLAY: ':0' }, []).every((finding) => finding.ok)).toBe(true);
    expect(check({}, ['Xvfb', 'openbox', 'dbus-daemon']).every((finding) => finding.ok)).toBe(true);
  });

  it('names the addon of the bridge service on a Mac, which is no fault to lack', () => {
    const addon = { listen: () => expect.fail(), request: () => undefined };
    expect(onMac({ kind: 'loaded', addon })).toMatchObject({ name: 'bridge service', ok: true, fix: null });
    expect(onMac({ kind: 'absent', reason: 'missing', why: '/x/desktop_bridge.node' })).toMatchObject({
      ok: true,
      seen: { params: { why: '/x/desktop_bridge.node' } },
      command: 'xcode-select --install',
    });
  });
});
