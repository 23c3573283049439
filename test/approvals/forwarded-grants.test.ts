/** Grants of programs on other machines, which SSH forwards. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { choicesFor } from '../../src/main/approvals/choices.js';
import type { Agent } from '../../src/main/protocol/index.js';
import { asked, rules, store } from './grant-store.js';

const app = { id: 'org.example.mail', name: 'Mail', program: '/usr/bin/mail' };
const FAR: Agent = {
  id: 'f',
  name: 'A program via SSH',
  tile: 'SSH',
  claim: null,
  executable: '',
  script: null,
  pid: 70,
  startTime: 'ssh:one',
  cwd: null,
  via: 'ssh',
};
const of = (agent: Agent) => ({ ...asked({ app }), agent });

describe('[req:RH-3] a grant for what SSH forwards', () => {
  it('is offered for a time, never for always', () => {
    expect(choicesFor(of(FAR), [], rules).map(({ kind }) => kind)).toEqual(['once', 'time', 'session']);
    expect(() => store().grants.add('always', of(FAR))).toThrow('always');
  });

  it('is for that connection only, and for no program of this machine', () => {
    const { grants } = store();
    const { id } = grants.add('session', of(FAR));
    expect(grants.match(of({ ...FAR, claim: 'other' }))?.id).toBe(id);
    expect(grants.match(of({ ...FAR, startTime: 'ssh:two' }))).toBeNull();
    const { via: _via, ...local } = FAR;
    expect(grants.match(of(local))).toBeNull();
    expect(grants.match(of({ ...local, executable: '/usr/sbin/sshd' }))).toBeNull();
  });

  it('is not what a program of this machine was granted, whatever its process', () => {
    const { grants } = store();
    const { via: _via, ...local } = { ...FAR, executable: '/usr/sbin/sshd' };
    grants.add('session', of(local));
    expect(grants.match(of({ ...FAR, executable: '/usr/sbin/sshd' }))).toBeNull();
  });

  it('ends with the connection, and the grants of others stay', () => {
    const { grants } = store();
    const { id } = grants.add('session', of(FAR));
    grants.add('session', of({ ...FAR, id: 'g', startTime: 'ssh:two' }));
    grants.add('session', asked({ app }));
    expect(grants.endConnection('ssh:one')).toBe(true);
    expect(grants.live(id)).toBe(false);
    expect(grants.match(of(FAR))).toBeNull();
    expect(grants.list()).toHaveLength(2);
    expect(grants.endConnection('ssh:one')).toBe(false);
  });

  it('is never on disk, and one in the file is none', () => {
    const made = store();
    made.grants.add('session', of(FAR));
    made.grants.add('session', asked({ app }));
    const file = JSON.parse(readFileSync(made.file, 'utf8')) as { grants: { agent: { via?: string } }[] };
    expect(file.grants).toHaveLength(1);
    expect(file.grants[0]?.agent.via).toBeUndefined();
    const forged = made.grants.list();
    writeFileSync(made.file, JSON.stringify({ version: 1, grants: forged }));
    expect(made.open().list()).toHaveLength(1);
  });
});
