import { describe, expect, it } from 'vitest';
import type { MacosCalls } from '../../src/native/peer/macos-calls.js';
import { createMacosTable } from '../../src/native/peer/index.js';

const START = 1_700_000_000n;

function token(pid: number, euid: number, version = 1): Buffer {
  const words = [0, euid, 20, 501, 20, pid, 0, version];
  const bytes = Buffer.alloc(32);
  words.forEach((word, at) => bytes.writeUInt32LE(word, at * 4));
  return bytes;
}

function bsdInfo(pid: number, parent: number, uid: number, start = START): Buffer {
  const bytes = Buffer.alloc(136);
  bytes.writeUInt32LE(pid, 12);
  bytes.writeUInt32LE(parent, 16);
  bytes.writeUInt32LE(uid, 20);
  bytes.writeBigUInt64LE(start, 120);
  bytes.writeBigUInt64LE(42n, 128);
  return bytes;
}

function vnodePaths(cwd: string): Buffer {
  const bytes = Buffer.alloc(2352, 0x7a);
  bytes.fill(0, 152, 1176);
  bytes.write(cwd, 152);
  return bytes;
}

function procArgs(executable: string, argv: string[]): Buffer {
  const count = Buffer.alloc(4);
  count.writeInt32LE(argv.length);
  return Buffer.concat([
    count,
    Buffer.from(`${executable}\0\0\0\0${argv.map((each) => `${each}\0`).join('')}PATH=/evil.js\0`),
  ]);
}

function calls(over: Partial<MacosCalls> = {}): MacosCalls {
  return {
    socketOption: (_fd, option, bytes) => (option === 6 && bytes === 32 ? token(500, 501) : null),
    waitingBytes: () => 12,
    processInfo: (pid, flavor) => {
      if (pid !== 500 && pid !== 400) return null;
      return flavor === 3 ? bsdInfo(pid, pid === 500 ? 400 : 1, 501) : vnodePaths('/');
    },
    processPath: () => '/usr/local/bin/node',
    processArguments: () => procArgs('/usr/local/bin/node', ['node', 'bin', 'x']),
    pids: () => [400, 500],
    session: () => 400,
    responsible: () => 400,
    ...over,
  };
}

describe('the macOS process table', () => {
  it('reads the audit token, the BSD info, the paths and the arguments', () => {
    expect(createMacosTable(calls()).peerOf(3)).toEqual({
      pid: 500,
      startTime: '1700000000.000042',
      uid: 501,
      executable: '/usr/local/bin/node',
      script: expect.stringMatching(/bin$/),
      cwd: '/',
      parentPid: 400,
      auditToken: token(500, 501).toString('hex'),
      waiting: 12,
    });
  });

  it('takes the user from the token, not from the process as it is now', () => {
    expect(createMacosTable(calls({ socketOption: () => token(500, 0) })).peerOf(3).uid).toBe(0);
  });

  it('throws where there is no token, no process, or the token changed', () => {
    expect(() => createMacosTable(calls({ socketOption: () => null })).peerOf(3)).toThrow();
    expect(() => createMacosTable(calls({ socketOption: () => token(0, 501) })).peerOf(3)).toThrow();
    expect(() => createMacosTable(calls({ socketOption: () => token(7, 501) })).peerOf(3)).toThrow('ended');
    let version = 0;
    expect(() => createMacosTable(calls({ socketOption: () => token(500, 501, ++version) })).peerOf(3)).toThrow(
      'ended',
    );
  });

  it('believes no process that was replaced while it was read', () => {
    let start = START;
    const processInfo: MacosCalls['processInfo'] = (pid, flavor) =>
      flavor === 3 ? bsdInfo(pid, 1, 501, start++) : vnodePaths('/');
    expect(createMacosTable(calls({ processInfo })).lookup(500)).toBeNull();
  });

  it('does without arguments, path and folder', () => {
    const bare = calls({ processArguments: () => null, processPath: () => null });
    expect(createMacosTable(bare).lookup(500)).toMatchObject({ executable: '', script: null });
    for (const raw of [Buffer.alloc(0), Buffer.from([9, 0, 0, 0]), Buffer.from([255, 255, 255, 127, 0x41])]) {
      expect(createMacosTable(calls({ processArguments: () => raw })).lookup(500)).toMatchObject({ script: null });
    }
  });

  it('tells the lineage, and is unclear about TCP', async () => {
    const table = createMacosTable(calls());
    expect(table.lineage(500).map(({ pid }) => pid)).toEqual([500, 400]);
    expect(await table.tcpClient({ address: '127.0.0.1', port: 1 }, { address: '127.0.0.1', port: 2 })).toBeNull();
  });
});
