import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProcessTable } from '../../src/native/peer/types.js';
import { standardPath } from '../../src/main/host/bridge-file.js';
import { hostPaths, newBridge, readBridge, removeBridge, writeBridge } from '../../src/main/host/discovery.js';
import { UnsafePathError } from '../../src/main/transport/private-paths.js';
import { createCleanup, self } from '../transport/support.js';

const cleanup = createCleanup();
const isRoot = process.getuid?.() === 0;
/** Above every id that a system gives: never this process. */
const OTHER_PID = 5_004_711;

const isolated = () => hostPaths({ CHAPERONE_HOME: cleanup.folder() });
const bridge = (state: string) => newBridge({ socket: join(state, 'host.sock'), url: 'http://localhost:1234' });
const table = (...alive: number[]): Pick<ProcessTable, 'lookup'> => ({
  lookup: (pid) => (alive.includes(pid) ? self({ pid }) : null),
});
const mode = (path: string): number => lstatSync(path).mode & 0o777;

/** Reads over and over until its stdin ends, then tells what it saw. */
const READER = `
  const tokens = new Set();
  let reads = 0, broken = 0, over = false;
  process.stdin.on('end', () => (over = true)).resume();
  const turn = () => {
    reads++;
    try { tokens.add(JSON.parse(require('fs').readFileSync(process.argv[1], 'utf8')).token); } catch { broken++; }
    if (reads === 1) process.stdout.write('reading');
    if (over) process.stdout.write(JSON.stringify({ reads, tokens: tokens.size, broken }));
    else setImmediate(turn);
  };
  turn();
`;

describe('bridge.json', () => {
  it('[req:DS-3-16] [req:DS-3-17] [req:GT-5.2-1] [req:GT-5.4-1] [req:GT-5.4-3] is written 0600 with a token of 256 bits, new each time, in GABP’s shape, and read back', async () => {
    const paths = isolated();
    const written = bridge(paths.state);
    expect(await writeBridge(paths, written, { processes: table(), tcpPort: 4000 })).toMatchObject({ standard: null });
    const path = join(paths.state, 'bridge.json');
    expect(mode(path)).toBe(0o600);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      token: expect.stringMatching(/^[0-9a-f]{64}$/),
      transport: { type: 'pipe', address: join(paths.state, 'host.sock') },
      metadata: {
        pid: process.pid,
        startTime: expect.stringMatching(/^\d{4}-.*Z$/),
        launchId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
      socket: join(paths.state, 'host.sock'),
      url: 'http://localhost:1234',
      transports: [
        { type: 'pipe', address: join(paths.state, 'host.sock') },
        { type: 'tcp', address: '4000' },
      ],
    });
    expect(readBridge(paths)).toEqual(written);
    expect(bridge(paths.state).token).not.toBe(written.token);
  });

  it('[req:GT-5.4-1] closes a file that others could read when it is written anew', async () => {
    const paths = isolated();
    mkdirSync(paths.state, { mode: 0o700 });
    writeFileSync(join(paths.state, 'bridge.json'), '{}', { mode: 0o644 });
    await writeBridge(paths, bridge(paths.state), { processes: table(), tcpPort: null });
    expect(mode(join(paths.state, 'bridge.json'))).toBe(0o600);
  });

  it('is taken away only by the host it names', async () => {
    const paths = isolated();
    const [first, second] = [bridge(paths.state), bridge(paths.state)];
    await writeBridge(paths, second, { processes: table(), tcpPort: null });
    removeBridge(paths, first);
    expect(readBridge(paths)).toEqual(second);
    removeBridge(paths, second);
    expect(readBridge(paths)).toBeNull();
    removeBridge(paths, second);
  });

  it('is not read where others can read it, through links, from another’s hands, or when it is something else', async () => {
    const paths = isolated();
    const path = join(paths.state, 'bridge.json');
    expect(readBridge(paths)).toBeNull();
    await writeBridge(paths, bridge(paths.state), { processes: table(), tcpPort: null });
    chmodSync(path, 0o640);
    expect(() => readBridge(paths)).toThrow(UnsafePathError);
    chmodSync(path, 0o600);
    chmodSync(paths.state, 0o755);
    expect(() => readBridge(paths)).toThrow(UnsafePathError);
    chmodSync(paths.state, 0o700);
    if (isRoot) {
      chownSync(path, 65534, 65534);
      expect(() => readBridge(paths)).toThrow(/another user/);
      chownSync(path, 0, 0);
    }
    renameSync(path, join(paths.state, 'other.json'));
    symlinkSync(join(paths.state, 'other.json'), path);
    expect(() => readBridge(paths)).toThrow(UnsafePathError);
    rmSync(path);
    for (const text of [
      '',
      '{',
      '{}',
      '[]',
      JSON.stringify({ port: 1, token: 'x'.repeat(64), gameId: 'g' }),
      'x'.repeat(100_000),
    ]) {
      writeFileSync(path, text, { mode: 0o600 });
      expect(() => readBridge(paths)).toThrow(/bridge\.json/);
    }
  });

  it('[req:GT-5.4-2] is whole at every moment, however often it is written anew', async () => {
    const paths = isolated();
    await writeBridge(paths, bridge(paths.state), { processes: table(), tcpPort: null });
    const reader = spawn(process.execPath, ['-e', READER, join(paths.state, 'bridge.json')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    cleanup.after(() => reader.kill());
    await once(reader.stdout, 'data');
    for (let count = 0; count < 100; count++)
      await writeBridge(paths, bridge(paths.state), { processes: table(), tcpPort: null });
    reader.stdin.end();
    const [said] = (await once(reader.stdout, 'data')) as [Buffer];
    const { reads, tokens, broken } = JSON.parse(String(said)) as { reads: number; tokens: number; broken: number };
    expect(broken).toBe(0);
    expect(reads).toBeGreaterThan(10);
    expect(tokens).toBeGreaterThan(1);
  });

  it('is not written through a link', async () => {
    const paths = isolated();
    mkdirSync(paths.state, { mode: 0o700 });
    const victim = join(cleanup.folder(), 'victim');
    writeFileSync(victim, 'precious');
    symlinkSync(victim, join(paths.state, 'bridge.json'));
    await expect(writeBridge(paths, bridge(paths.state), { processes: table(), tcpPort: null })).rejects.toThrow(
      UnsafePathError,
    );
    expect(readFileSync(victim, 'utf8')).toBe('precious');
  });
});

describe.runIf(process.platform === 'linux')('the standard bridge.json', () => {
  let home: string;
  let standard: string;
  beforeEach(() => {
    home = cleanup.folder();
    standard = join(home, '.config', 'gabp', 'bridge.json');
    const before = process.env['HOME'];
    process.env['HOME'] = home;
    cleanup.after(() => (process.env['HOME'] = before));
  });
  const open = () => ({ config: join(home, 'c'), state: join(home, 's'), runtime: join(home, 'r'), isolated: false });
  const put = (text: string): void => {
    mkdirSync(join(home, '.config', 'gabp'), { recursive: true });
    writeFileSync(standard, text);
  };
  const write = (alive: number[], tcpPort: number | null = null) =>
    writeBridge(open(), bridge(join(home, 's')), { processes: table(...alive), tcpPort });

  it('[req:DS-3-16] [req:GT-5.1-1] [req:GT-5.3-1] is written too, with the TCP port where there is one', async () => {
    expect(await write([])).toEqual({ standard, reason: null });
    expect(mode(standard)).toBe(0o600);
    expect(JSON.parse(readFileSync(standard, 'utf8'))).toMatchObject({
      transport: { type: 'pipe', address: join(home, 's', 'host.sock') },
    });
    await write([], 4000);
    expect(JSON.parse(readFileSync(standard, 'utf8'))).toMatchObject({ transport: { type: 'tcp', address: '4000' } });
    expect(readBridge(open())).toMatchObject({ transport: { type: 'pipe' } });
  });

  it.each([
    ['darwin', ['Library', 'Application Support']],
    ['win32', ['AppData', 'Roaming']],
    ['linux', ['.config']],
  ])('[req:GT-5.1-1] lies where GABP wants it on %s', (platform, folder) => {
    const { APPDATA } = process.env;
    delete process.env['APPDATA'];
    vi.spyOn(process, 'platform', 'get').mockReturnValue(platform as NodeJS.Platform);
    cleanup.after(() => {
      vi.restoreAllMocks();
      if (APPDATA !== undefined) process.env['APPDATA'] = APPDATA;
    });
    expect(standardPath()).toBe(join(home, ...folder, 'gabp', 'bridge.json'));
  });

  it('[req:DS-3-16] is left alone while its owner lives, or when it does not say whose it is', async () => {
    const theirs = JSON.stringify({ token: 't', metadata: { pid: OTHER_PID, launchId: 'x' } });
    put(theirs);
    expect(await write([OTHER_PID])).toMatchObject({ standard: null, reason: expect.stringContaining(`${OTHER_PID}`) });
    expect(readFileSync(standard, 'utf8')).toBe(theirs);
    for (const text of ['{"token":"t"}', 'nonsense', '{"metadata":{"pid":"4711"}}']) {
      put(text);
      expect(await write([])).toMatchObject({ standard: null, reason: expect.stringContaining('whose') });
      expect(readFileSync(standard, 'utf8')).toBe(text);
    }
    removeBridge(open(), bridge(home));
    expect(existsSync(standard)).toBe(true);
  });

  it('[req:DS-3-16] is taken over from a process that is gone, and taken away in the end', async () => {
    put(JSON.stringify({ token: 't', metadata: { pid: OTHER_PID } }));
    const ours = bridge(join(home, 's'));
    expect(await writeBridge(open(), ours, { processes: table(), tcpPort: null })).toMatchObject({ standard });
    removeBridge(open(), ours);
    expect(existsSync(standard)).toBe(false);
  });

  it('is not written through a link', async () => {
    mkdirSync(join(home, '.config', 'gabp'), { recursive: true });
    writeFileSync(join(home, 'victim'), 'precious');
    symlinkSync(join(home, 'victim'), standard);
    expect(await write([])).toMatchObject({ standard: null, reason: expect.stringContaining('link') });
    expect(readFileSync(join(home, 'victim'), 'utf8')).toBe('precious');
  });
});
