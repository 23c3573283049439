import { describe, expect, it } from 'vitest';
import type { ProcessIdentity } from '../../src/native/peer/types.js';
import { createCallers, displayName, unknownPeer } from '../../src/main/agents/caller.js';
import { self } from '../transport/support.js';

const facts = { claim: null, viaShim: false, protocol: 'jsonrpc', connectionId: 'k' } as const;

function callers(...known: ProcessIdentity[]) {
  return createCallers({
    processes: {
      peerOf: () => self(),
      lookup: (pid) => known.find((each) => each.pid === pid) ?? null,
      isSameProcess: () => true,
      watch: () => ({ isSame: () => true, close: () => undefined }),
      lineage: () => [],
      tcpClient: () => Promise.resolve(null),
    },
    placeOf: () => 'system',
  });
}

describe('displayName', () => {
  it.each([
    ['/usr/bin/node', '/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js', 'Claude Code'],
    ['/home/u/.local/share/claude/versions/2.1.329', null, 'Claude Code'],
    ['/usr/bin/node', '/usr/lib/node_modules/@openai/codex/bin/codex.js', 'Codex'],
    ['/opt/@openai/codex-linux-x64/vendor/codex', null, 'Codex'],
    ['/Applications/Cursor.app/Contents/MacOS/Cursor', null, 'Cursor'],
    ['/usr/bin/node', '/usr/lib/node_modules/@github/copilot/index.js', 'Copilot CLI'],
    ['/home/a/.opencode/bin/opencode', null, 'OpenCode'],
    ['/home/a/.local/bin/goose', null, 'Goose'],
    ['/usr/bin/node', '/usr/lib/node_modules/cline/dist/cli.mjs', 'Cline'],
    ['/usr/share/windsurf/windsurf', null, 'Windsurf'],
    ['/home/a/.local/zed.app/libexec/zed-editor', null, 'Zed'],
    ['/usr/bin/node', '/home/a/opencode-notes/x.js', 'node · x.js'],
    ['/usr/share/code/code', null, 'VS Code'],
    ['/usr/bin/python3', '/work/build.py', 'python3 · build.py'],
    ['/usr/bin/python3 (deleted)', '/work/build.py', 'python3 · build.py'],
    ['/usr/bin/bash', null, 'bash'],
    ['/home/u/not-claude', null, 'not-claude'],
    ['/usr/bin/node', '/home/u/claude-code-helper/cli.js', 'node · cli.js'],
    ['', null, 'Unknown program'],
  ])('of %s and %s is %s', (executable, script, name) => {
    expect(displayName(self({ executable, script }), () => 'system')).toBe(name);
  });
});

describe('createCallers', () => {
  const peer = self({ pid: 50, parentPid: 40, cwd: '/shim' });
  const parent = self({ pid: 40, parentPid: 1, executable: '/usr/bin/claude', cwd: '/project', startTime: '9' });

  it('takes a plain peer for itself', () => {
    expect(callers(parent)(peer, facts)).toMatchObject({
      agent: { pid: 50 },
      peer,
      connectionId: 'k',
      protocol: 'jsonrpc',
    });
  });

  const sshd = self({ pid: 60, parentPid: 1, executable: '/usr/sbin/sshd', forwardedBy: 'ssh', cwd: '/home/a' });
  const far = { ...facts, viaShim: true, claim: 'Claude Code', cwd: '/home/a', connectionId: 'c' };

  it('[req:RH-2] knows of what SSH forwards only its connection', () => {
    const { agent, peer: kept } = callers(parent)(sshd, far);
    expect(agent).toMatchObject({ via: 'ssh', executable: '', script: null, cwd: null, claim: 'Claude Code' });
    expect(agent.name).not.toContain('sshd');
    expect(agent.startTime).toBe('unknown:c');
    expect(kept).toBe(sshd);
    expect(callers(parent)(sshd, { ...far, connectionId: 'd' }).agent.id).not.toBe(agent.id);
  });

  it('[req:RH-4] knows it again by its secret, and by nothing else', () => {
    const id = (session: string, pid = 60) =>
      callers()({ ...sshd, pid }, { ...far, connectionId: `${pid}`, session }).agent.id;
    expect(id('s'.repeat(64), 60)).toBe(id('s'.repeat(64), 61));
    expect(id('s'.repeat(64))).not.toBe(id('t'.repeat(64)));
    const local = callers(parent)(peer, { ...far, session: 's'.repeat(64) }).agent;
    expect(local.id).toBe(callers(parent)(peer, far).agent.id);
    expect(local.via).toBeUndefined();
  });

  it('[req:RH-2] takes a shim below a server of SSH for one of another machine', () => {
    expect(callers(sshd)(self({ pid: 50, parentPid: 60 }), far).agent).toMatchObject({ via: 'ssh', executable: '' });
  });

  it('takes a shim’s parent for who is asking', () => {
    const made = callers(parent)(peer, { ...facts, viaShim: true, claim: 'me' });
    expect(made.agent).toMatchObject({
      pid: 40,
      name: 'Claude Code',
      tile: 'CC',
      startTime: '9',
      cwd: '/project',
      claim: 'me',
    });
    expect(made.peer).toBe(peer);
  });

  it.each([
    ['gone', []],
    ['another user’s', [self({ pid: 40, uid: 12345 })]],
    ['the system’s, which adopted it', [self({ pid: 40, executable: '/usr/lib/systemd/systemd' })]],
  ])('takes the shim itself when its parent is %s', (_, known) => {
    expect(callers(...known)(peer, { ...facts, viaShim: true }).agent.pid).toBe(50);
  });

  it('[req:AP-S-6] knows the demo by the host’s word, never by a name', () => {
    const known = {
      isSameProcess: () => true,
      watch: () => ({ isSame: () => true, close: () => undefined }),
      lineage: () => [],
      tcpClient: () => Promise.resolve(null),
    };
    const processes = { ...known, peerOf: () => self(), lookup: () => parent };
    const make = (isDemo: (process: ProcessIdentity) => boolean) =>
      createCallers({ processes, isDemo, placeOf: () => 'system' })(peer, {
        ...facts,
        viaShim: true,
        claim: 'Chaperone demo',
      }).agent;
    expect(make(({ pid }) => pid === 40)).toMatchObject({
      name: 'Chaperone demo',
      demo: true,
      executable: '/usr/bin/claude',
    });
    expect(make(() => false)).not.toHaveProperty('demo');
    expect(make(() => false).name).toBe('Claude Code');
  });

  it('makes the id from the process only, never from the claim or the connection', () => {
    const id = (over: Partial<ProcessIdentity>, more: object = {}): string =>
      callers()(self(over), { ...facts, ...more }).agent.id;
    const base = id({ pid: 7 });
    expect(id({ pid: 7 }, { claim: 'Claude Code 9', connectionId: 'other' })).toBe(base);
    expect(id({ pid: 7, cwd: '/elsewhere' })).toBe(base);
    const others = [{ pid: 8 }, { pid: 7, startTime: '2' }, { pid: 7, executable: '/x' }, { pid: 7, script: '/s' }];
    expect(new Set([base, ...others.map((over) => id(over))]).size).toBe(5);
  });

  it('gives each connection of an unknown process an identity of its own', () => {
    const make = callers();
    const ids = ['a', 'b'].map((connection) => make(unknownPeer(connection), facts).agent);
    expect(ids[0]?.id).not.toBe(ids[1]?.id);
    expect(ids[0]).toMatchObject({ name: 'Unknown program', tile: 'UP', pid: 0, executable: '' });
  });

  it('makes two letters of any name', () => {
    const tile = (executable: string): string => callers()(self({ executable }), facts).agent.tile;
    expect(['/bin/codex', '/bin/x', '/bin/my-tool', '/bin/…'].map(tile)).toEqual(['CO', 'X', 'MT', '?']);
  });
});
