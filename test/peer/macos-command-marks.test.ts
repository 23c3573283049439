import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openKeptCommands, type KeptCommands, createStartedCommands } from '../../src/native/peer/started-commands.js';
import { createMacosCommandMarks, type MacosCalls } from '../../src/native/peer/macos-calls.js';
import { createMacosInspector } from '../../src/native/peer/index.js';
import type { ProcessIdentity } from '../../src/native/peer/types.js';

const [COMMAND, LEFT] = [700, 710];

interface Made {
  session?: number;
  responsible?: number | null;
  environment?: string[];
  terminal?: number;
}

function scene(all: Record<number, Made>, kept?: KeptCommands) {
  const running = new Map(Object.entries(all).map(([pid, made]) => [Number(pid), made]));
  const calls: MacosCalls = {
    socketOption: () => null,
    waitingBytes: () => null,
    processInfo(pid, flavor) {
      const made = running.get(pid);
      if (made === undefined || flavor !== 3) return null;
      const info = Buffer.alloc(136);
      info.writeUInt32LE(1, 16);
      info.write('left', 48);
      info.writeUInt32LE(pid, 100);
      info.writeUInt32LE(made.terminal ?? 0xffff_ffff, 108);
      info.writeBigUInt64LE(BigInt(pid), 120);
      return info;
    },
    processPath: () => null,
    processArguments(pid) {
      const entries = ['node', 'script', ...(running.get(pid)?.environment ?? [])];
      return Buffer.concat([Buffer.from([2, 0, 0, 0]), Buffer.from(`/bin/node\0\0\0${entries.join('\0')}\0`)]);
    },
    pids: () => [...running.keys()],
    session: (pid) => running.get(pid)?.session ?? null,
    responsible: (pid) => running.get(pid)?.responsible ?? null,
  };
  const lookup = (pid: number) => (running.has(pid) ? ({ pid, startTime: `${pid}` } as ProcessIdentity) : null);
  const commands = createStartedCommands(lookup, kept);
  return { running, calls, commands, mark: createMacosCommandMarks(calls, commands) };
}

const MARKED = { kind: 'marked', executionId: 'x' };

describe('[req:MW-4] what an approved command started is told on a Mac', () => {
  it('by its environment, also where nothing is known of the command any more', () => {
    const { mark } = scene({ [LEFT]: { environment: ['PATH=/bin', 'CHAPERONE_COMMAND=x'] } });
    expect(mark(LEFT)).toEqual(MARKED);
  });

  it('by its session, without a word in its environment', () => {
    const { mark, commands, running } = scene({ [COMMAND]: {}, [LEFT]: { session: COMMAND } });
    expect(mark(LEFT)).toEqual({ kind: 'none' });
    commands.add(COMMAND, 'x');
    expect(mark(LEFT)).toEqual(MARKED);
    running.delete(COMMAND);
    expect(mark(LEFT)).toEqual(MARKED);
  });

  it('by who answers for it, in a session of its own', () => {
    const { mark, commands } = scene({ [COMMAND]: {}, [LEFT]: { session: LEFT, responsible: COMMAND } });
    commands.add(COMMAND, 'x');
    expect(mark(LEFT)).toEqual(MARKED);
  });

  it('and not of a process that has its number now', () => {
    const { mark, commands, running } = scene({ [LEFT]: { session: COMMAND } });
    const lookups = [{ startTime: '1' }, { startTime: '2' }] as ProcessIdentity[];
    const reused = createStartedCommands(() => lookups.shift() ?? null);
    reused.add(COMMAND, 'x');
    expect(reused.executionOf(COMMAND)).toBeNull();
    expect(commands.executionOf(COMMAND)).toBeNull();
    running.delete(LEFT);
    expect(mark(LEFT)).toEqual({ kind: 'gone' });
  });

  describe('after a restart of the host', () => {
    const folder = mkdtempSync(join(tmpdir(), 'chp-commands-'));
    const file = join(folder, 'commands.jsonl');
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    const faults: unknown[] = [];
    const keep = (bootedAt = 1_000_000, most = 5) =>
      openKeptCommands({ file, most, bootedAt, onError: (fault) => faults.push(fault) });
    const left = { [LEFT]: { session: COMMAND } };

    it('too, by what the host before kept', () => {
      scene({ [COMMAND]: {}, ...left }, keep()).commands.add(COMMAND, 'x');
      expect(scene(left, keep(1_000_400)).mark(LEFT)).toEqual(MARKED);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    });

    it('not of a process that has its number now, nor after the machine was started again', () => {
      scene({ [COMMAND]: {}, ...left }, keep()).commands.add(COMMAND, 'x');
      expect(createStartedCommands(() => null, keep()).executionOf(COMMAND)).toBe('x');
      const other = createStartedCommands(() => ({ startTime: 'another' }) as ProcessIdentity, keep());
      expect(other.executionOf(COMMAND)).toBeNull();
      expect(scene(left, keep(9_000_000)).mark(LEFT)).toEqual({ kind: 'none' });
      expect(readFileSync(file, 'utf8')).toBe('');
    });

    it('where a line was not written whole, by the others; the newest are kept', () => {
      const before = scene({}, keep());
      for (let pid = 1; pid <= 7; pid++) before.commands.add(pid, `e${pid}`);
      appendFileSync(file, '{"pid":8,"startTi\nnull\n{"pid":"9"}\n');
      expect(keep().entries.map(({ executionId }) => executionId)).toEqual(['e3', 'e4', 'e5', 'e6', 'e7']);
    });

    it('where nothing can be kept, this host knows its own all the same, and it is told', () => {
      const nowhere = openKeptCommands({ file: folder, most: 5, bootedAt: 1, onError: (fault) => faults.push(fault) });
      const { commands, mark } = scene({ [COMMAND]: {}, ...left }, nowhere);
      commands.add(COMMAND, 'x');
      expect(mark(LEFT)).toEqual(MARKED);
      expect(faults).toHaveLength(3);
    });
  });

  it('is unclear where who answered for it has ended, and nobody where that is itself or still runs', () => {
    const { mark } = scene({ 1: {}, 2: { responsible: 2 }, 3: { responsible: 2 }, 4: { responsible: 99 }, 5: { responsible: null } }); // prettier-ignore
    expect([2, 3, 4, 5].map((pid) => mark(pid).kind)).toEqual(['none', 'none', 'unreadable', 'none']);
  });
});

it('[req:MW-4] the inspector tells session, group, terminal and family, and who else is in a terminal', () => {
  const inspector = createMacosInspector(scene({ 5: { session: 4, responsible: 3, terminal: 9 }, 6: { terminal: 9 }, 7: {} }).calls); // prettier-ignore
  expect(inspector.inspect(5)).toEqual({ pid: 5, parentPid: 1, startTime: '5.000000', sessionLeader: 4, groupLeader: 5, terminal: 9, uid: 0, realUid: 0, name: 'left', family: '3', namespaces: { pid: '', mount: '' } }); // prettier-ignore
  expect(inspector.inspect(8)).toBeNull();
  expect(inspector.terminalHolders(9)).toEqual({ masters: [], programs: [5, 6] });
  expect(inspector.terminalHolders(0).programs).toEqual([]);
  expect(inspector.list()).toHaveLength(3);
});
