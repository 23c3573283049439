import { describe, expect, it } from 'vitest';
import {
  createLinkPermissions,
  type LinkPermissionsOptions,
} from '../../../src/main/serve/pairing/link-permissions.js';
import type { CommandMark } from '../../../src/native/peer/command-mark.js';
import type { ProcessDetails } from '../../../src/native/peer/process-inspector.js';
import type { ProcessIdentity } from '../../../src/native/peer/types.js';

const uid = process.getuid?.() ?? 0;
const HOST = 100;

interface Made {
  executable?: string;
  parent: number;
  uid?: number;
  session?: number;
  group?: number;
  mark?: CommandMark;
}

/** init, a login service, a terminal program 20, the shell 30 in it, and `chaperone pair` 40; a host 100 and what it started. */
const USUAL: Record<number, Made> = {
  1: { executable: '/sbin/init', parent: 0, uid: 0 },
  10: { executable: '/usr/lib/systemd/systemd', parent: 1, mark: { kind: 'unreadable' }, uid: uid + 1 },
  20: { executable: '/usr/bin/xterm', parent: 10, session: 20 },
  30: { executable: '/bin/bash', parent: 20, session: 30 },
  40: { executable: '/usr/bin/node', parent: 30, session: 30 },
  [HOST]: { executable: '/usr/bin/node', parent: 10 },
  110: { executable: '/usr/bin/chromium', parent: HOST },
  120: { executable: '/usr/bin/chromium', parent: 110 },
};

function linkPermissions(
  more: Record<number, Made> = {},
  over: Partial<LinkPermissionsOptions> & { masters?: number[]; programs?: number[] } = {},
) {
  // prettier-ignore
  const all = new Map(Object.entries({ ...USUAL, ...more }).map(([pid, made]) => [Number(pid), made]));
  const identity = (pid: number): ProcessIdentity | null => {
    const made = all.get(pid);
    return made === undefined ? null : { pid, startTime: `${pid}`, uid: made.uid ?? uid, executable: made.executable ?? '/bin/x', script: null, cwd: null, parentPid: made.parent }; // prettier-ignore
  };
  const lineage = (pid: number): ProcessIdentity[] => {
    const found = identity(pid);
    return found === null ? [] : [found, ...lineage(found.parentPid)];
  };
  const of = (pid: number): ProcessDetails | null => {
    const made = all.get(pid);
    return made === undefined ? null : { pid, parentPid: made.parent, startTime: `${pid}`, sessionLeader: made.session ?? pid, groupLeader: made.group ?? pid, terminal: 34816, uid, family: '/' }; // prettier-ignore
  };
  const { masters = [20], programs = [30, 40], ...rest } = over;
  const made = createLinkPermissions({
    lineage,
    agents: { hasCalled: () => false, includes: () => false },
    traces: { saw: () => false, mayHaveStarted: () => false },
    inspector: { inspect: of, terminalHolders: () => ({ masters, programs }), list: () => [] },
    mark: (pid) => all.get(pid)?.mark ?? { kind: 'none' },
    hasTerminal: () => true,
    hostPid: HOST,
    ...rest,
  });
  const known = (pid: number) => identity(pid) ?? { pid, startTime: '', uid, executable: '', script: null, cwd: null, parentPid: 0 }; // prettier-ignore
  return { asker: (pid = 40, more: Partial<ProcessIdentity> = {}) => made.askerRefusal({ ...known(pid), ...more }), redeemer: (pid: number, by: 'cli' | 'terminal' | 'popover') => made.redeemerRefusal(known(pid), by) }; // prettier-ignore
}

const marked: CommandMark = { kind: 'marked', executionId: 'x' };

describe('[req:PW-3] who may ask for a link', () => {
  it('a person’s shell in a terminal', () => expect(linkPermissions().asker()).toBeNull());
  it('nobody without a terminal', () =>
    expect(linkPermissions({}, { hasTerminal: () => false }).asker()).toBe('no_terminal'));
  it('nobody whom SSH forwards [req:RH-10]', () =>
    expect(linkPermissions().asker(40, { forwardedBy: 'ssh' })).toBe('unclear'));
  it('nobody whose process is gone', () => expect(linkPermissions().asker(41)).toBe('agent'));

  it.each<[string, Partial<LinkPermissionsOptions>]>([
    ['an agent', { agents: { hasCalled: ({ pid }) => pid === 40, includes: () => false } }],
    ['what runs below an agent', { agents: { hasCalled: () => false, includes: (line) => line.some(({ pid }) => pid === 30) } }],
    ['what was once seen below one', { traces: { saw: ({ pid }) => pid === 40, mayHaveStarted: () => false } }],
    ['what types into a terminal that an agent holds', { agents: { hasCalled: () => false, includes: (line) => line.some(({ pid }) => pid === 20) } }],
    ['what shares its terminal with one', { agents: { hasCalled: ({ pid }) => pid === 30, includes: () => false } }],
  ])('not %s', (_who, over) => expect(linkPermissions({}, over).asker()).toBe('agent')); // prettier-ignore

  it.each<[string, Record<number, Made>]>([
    ['itself', { 40: { parent: 30, mark: marked } }],
    ['an ancestor', { 30: { parent: 20, mark: marked } }],
    ['the program that shows its terminal', { 20: { parent: 10, mark: marked } }],
    ['the leader of its session', { 40: { parent: 10, session: 31 }, 31: { parent: 10, mark: marked } }],
  ])('not what carries the mark: %s [req:PW-1] [req:PW-9]', (_who, more) =>
    expect(linkPermissions(more).asker()).toBe('command'),
  );

  it('a command that left its terminal is still told as a command', () =>
    expect(linkPermissions({ 40: { parent: 10, mark: marked } }, { hasTerminal: () => false }).asker()).toBe(
      'command',
    ));

  it('not what the host started, nor what sits in a terminal that it holds', () => {
    expect(linkPermissions({ 40: { parent: HOST } }).asker()).toBe('host');
    expect(linkPermissions({}, { masters: [110] }).asker()).toBe('host');
  });

  it('not where the environment of one of them cannot be read, a login service aside', () => {
    expect(linkPermissions({ 30: { parent: 20, mark: { kind: 'unreadable' } } }).asker()).toBe('unclear');
    expect(linkPermissions({ 15: { executable: '/usr/sbin/sshd', parent: 10, mark: { kind: 'unreadable' } }, 20: { parent: 15, session: 20 } }).asker()).toBeNull(); // prettier-ignore
  });

  it('not an orphan that an agent may have started', () => {
    const over = { traces: { saw: () => false, mayHaveStarted: () => true } };
    const orphan = { 30: { executable: '/bin/bash', parent: 1, session: 30 } };
    expect(linkPermissions(orphan, over).asker()).toBe('unclear');
    expect(linkPermissions(orphan).asker()).toBeNull();
  });
});

describe('[req:PW-2] who may redeem one', () => {
  it('a browser of the person’s, with any link', () => {
    for (const by of ['cli', 'terminal', 'popover'] as const) expect(linkPermissions().redeemer(40, by)).toBeNull();
  });

  it('a browser that the host opened, with a link that the host shows itself, also where an agent started the host', () => {
    const over = { agents: { hasCalled: () => false, includes: (line: readonly ProcessIdentity[]) => line.some(({ pid }) => pid === 10) } }; // prettier-ignore
    expect(linkPermissions({}, over).redeemer(120, 'popover')).toBeNull();
    expect(linkPermissions({}, over).redeemer(120, 'terminal')).toBeNull();
    expect(linkPermissions().redeemer(120, 'cli')).toBe('host');
    expect(linkPermissions({}, over).redeemer(40, 'terminal')).toBe('agent');
  });

  it('no browser that a command started or an agent had opened, nor one that was seen below an agent [req:PW-9]', () => {
    expect(linkPermissions({ 110: { parent: HOST, mark: marked } }).redeemer(120, 'popover')).toBe('command');
    expect(linkPermissions({}, { traces: { saw: ({ pid }) => pid === 110, mayHaveStarted: () => false } }).redeemer(120, 'popover')).toBe('agent'); // prettier-ignore
    expect(linkPermissions().redeemer(41, 'popover')).toBe('unclear');
  });
});
