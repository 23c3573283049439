import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Contact } from '../../src/main/agents/index.js';
import { nameProblem, openAgentNames } from '../../src/main/agents/names.js';
import { createEmitter } from '../../src/base/emitter.js';
import type { Caller } from '../../src/main/approvals/request.js';
import { everyText } from '../../src/messages/catalogues.js';
import type { Agent } from '../../src/main/protocol/index.js';
import { CLAUDE } from '../support/page-samples.js';

const newFile = () => join(mkdtempSync(join(tmpdir(), 'names-')), 'agent-names.json');

/** Names, and agents that come and go. */
function start(file = newFile()) {
  const contacts = createEmitter<Contact>();
  const here = new Map<string, Agent>();
  const callerOf = (agent: Agent) => ({ agent }) as unknown as Caller;
  const names = openAgentNames({
    file,
    agents: { callers: () => [...here.values()].map(callerOf), has: (id) => here.has(id), onContact: contacts.on },
    log: (thrown) => {
      throw thrown;
    },
  });
  return {
    file,
    names,
    come(agent: Agent) {
      here.set(agent.id, agent);
      contacts.emit({ kind: 'connected', caller: callerOf(agent) });
      return agent;
    },
    leave: ({ id }: Agent) => void here.delete(id),
  };
}

const claude = (id: string, more: Partial<Agent> = {}): Agent => ({ ...CLAUDE, id, cwd: '/home/u/shop', ...more });

describe('a name', () => {
  it('belongs to the program in its folder: the next process there has it, also after a restart of the host', () => {
    const first = start();
    const agent = first.come(claude('1'));
    expect(first.names.rename(agent, '  Shop ')).toBeNull();
    expect(first.names.of('1')).toBe('Shop');
    first.leave(agent);
    first.names.close();
    const { names, come } = start(first.file);
    come(claude('3', { cwd: '/home/u/docs' }));
    come(claude('4', { name: 'Codex', executable: '/usr/bin/codex' }));
    come(claude('2', { executable: '/home/u/.local/share/claude/versions/9.9' }));
    expect(['1', '2', '3', '4'].map(names.of)).toEqual(['Shop', 'Shop', null, null]);
  });

  it('belongs to one process at a time', () => {
    const { names, come, leave } = start();
    const [one, two] = [come(claude('1')), come(claude('2'))];
    names.rename(one, 'Shop');
    come(claude('3'));
    expect(['1', '2', '3'].map(names.of)).toEqual(['Shop', null, null]);
    expect(names.rename(two, 'shop')).toMatchObject({ code: 'name.taken' });
    expect(names.rename(two, 'Second')).toBeNull();
    leave(one);
    leave(two);
    come(claude('4'));
    come(claude('5'));
    expect(['4', '5'].map(names.of)).toEqual(['Shop', null]);
  });

  it.each<[string, Partial<Agent>]>([
    ['an interpreter without a script', { name: 'python3', executable: '/usr/bin/python3', script: null }],
    ['a program of another machine', { name: 'A program via SSH', executable: '', via: 'ssh' }],
    ['one whose folder is not known', { cwd: null }],
    ['a program that the kernel does not name', { name: 'Unknown program', executable: '' }],
  ])('lasts no longer than its process, for %s', (_what, facts) => {
    const { names, come, leave, file } = start();
    const agent = come(claude('1', facts));
    expect(names.rename(agent, 'Shop')).toBeNull();
    expect(names.of('1')).toBe('Shop');
    leave(agent);
    come(claude('2', facts));
    expect(names.of('2')).toBeNull();
    expect(readFileSync(file, 'utf8')).not.toContain('Shop');
  });

  it('is never of what a client says that it is', () => {
    const { names, come, leave } = start();
    const agent = come(claude('1', { claim: 'Shop 1.0', name: 'node · a.js', script: '/home/u/a.js' }));
    names.rename(agent, 'Till');
    leave(agent);
    come(claude('2', { claim: 'Shop 1.0', name: 'node · b.js', script: '/home/u/b.js' }));
    expect(names.of('2')).toBeNull();
  });

  it.each(['', '   ', 'Claude Code'])('is taken back by “%s”', (empty) => {
    const { names, come } = start();
    const agent = come(claude('1'));
    names.rename(agent, 'Shop');
    expect(names.rename(agent, empty)).toBeNull();
    expect(names.list()).toEqual([]);
  });

  it('is kept of a hundred agents at most, of those that are here first', () => {
    const { names, come, leave } = start();
    const here = come(claude('here'));
    names.rename(here, 'Here');
    for (let index = 0; index < 120; index += 1) {
      const agent = come(claude(`${index}`, { cwd: `/home/u/${index}` }));
      names.rename(agent, `Shop ${index} of many`);
      leave(agent);
    }
    expect(names.list()).toHaveLength(100);
    expect(names.of('here')).toBe('Here');
  });
});

describe('nameProblem', () => {
  const OTHERS = ['Codex', 'Till', 'python3 · /home/u/run.py'];

  it.each([
    ['too_long', 'x'.repeat(41)],
    ['unreadable', 'Shop\u202etxt'],
    ['unreadable', 'Sh\u200bop'],
    ['unreadable', 'Shop\u0007'],
    ['unreadable', 'Shop\nAllow'],
    ['unreadable', 'Shop\u00a0'],
    ['unreadable', 'Shоp'],
    ['unreadable', 'Shop      x'],
    ['no_letters', '· — ·'],
    ['imitates', 'Chaperone'],
    ['imitates', 'CHAPER0NE security'],
    ['imitates', 'Die Chaperone-Seite'],
    ['imitates', 'C h a p e r o n e'],
    ...['You', 'you!', 'YOU (on the page)', 'Sie', 'Sie (auf der Seite)', 'du', '您', '您（在页面上）', '用户', 'Me', 'A program via SSH'].map((name) => ['imitates', name]),
    ['taken', 'codex'],
    ['taken', 'Ti11'],
    ['taken', 'Cursor'],
    ['taken', 'PYTHON3 · /home/u/run.py'],
  ])('%s: %s', (code, name) => {
    expect(nameProblem(name ?? '', OTHERS)).toMatchObject({ code: `name.${code}` });
  }); // prettier-ignore

  it.each(['Shop', 'Your shop', 'Yousef', 'Siegfried', '购物', 'Laden 2', 'متجر', 'Pair programmer', '🛒 Shop'])(
    'nothing against %s',
    (name) => {
      expect(nameProblem(name, OTHERS)).toBeNull();
    },
  );

  it('nobody may be called as the page calls the person, in any language', () => {
    const labels = ['page.evidence.deciders.person', 'asker.person_on_page'] as const;
    for (const text of labels.flatMap(everyText))
      expect(nameProblem(text, [])).toMatchObject({ code: 'name.imitates' });
  });
});
