import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { requestFacts } from '../../src/main/approvals/request-facts.js';
import { choicesFor } from '../../src/main/approvals/choices.js';
import { grantSchema } from '../../src/main/protocol/index.js';
import { asked, createOne, rules, store } from './grant-store.js';
import { FIREFOX, MAIL, START, agentOf, requestOf, tempDir } from './support.js';

describe('what a grant covers', () => {
  it('[req:DS-6-12] covers its agent, application and classes until its time is over', () => {
    const { grants, time } = store();
    const grant = grants.add('time', asked());
    expect(grantSchema.parse(grant)).toEqual(grant);
    expect(grant.effects).toEqual(['disclose', 'pointer', 'input']);
    expect(grants.match(asked())?.id).toBe(grant.id);
    expect(grants.match(asked({ effect: 'pointer' }))?.id).toBe(grant.id);
    expect(grants.match(asked({ effect: 'disclose' }))?.id).toBe(grant.id);
    expect(grants.match(asked({ effect: 'dangerous' }))).toBeNull();
    expect(grants.match(asked({ app: { id: 'com.apple.notes', name: 'Mail' } }))).toBeNull();
    expect(grants.match(asked({ app: null }))).toBeNull();
    time.now += 10 * 60_000 - 1;
    expect(grants.live(grant.id)).toBe(true);
    time.now += 1;
    expect(grants.match(asked())).toBeNull();
    expect(grants.live(grant.id)).toBe(false);
  });

  it('[req:DS-6-12] given for the pointer does not cover clicks and keys', () => {
    const { grants } = store();
    const grant = grants.add('time', asked({ effect: 'pointer' }));
    expect(grants.match(asked({ effect: 'pointer' }))?.id).toBe(grant.id);
    expect(grants.match(asked({ effect: 'input' }))).toBeNull();
    expect(grants.match(asked({ effect: 'disclose' }))).toBeNull();
  });

  it('covers files of the folder in which its agent works, and none that is hidden, elsewhere, or in another folder by its name', () => {
    const { grants } = store();
    const [folder, file] = ['/home/me/code', '/home/me/code/notes/a.txt'];
    const given = (name: string) => ({ ...asked(), file: name });
    const grant = grants.add('time', asked());
    expect(grant.folder).toBe(folder);
    expect(grants.match(given(file))?.id).toBe(grant.id);
    for (const other of ['/home/me/code', '/home/me/code/.git/hooks/x', '/home/me/code/.env', '/home/me/codex/a', '/home/me/a', '/etc/passwd', '/home/me/code/../a'])
      expect(grants.match(given(other))).toBeNull(); // prettier-ignore
    expect(choicesFor(given('/etc/passwd'), [], rules).map(({ kind }) => kind)).toEqual(['once']);
    grants.revoke(grant.id);
    const { folder: _, ...without } = asked();
    expect(grants.add('time', without).folder).toBeUndefined();
    expect(grants.match(given(file))).toBeNull();
  });

  it.each([
    ['the home folder', homedir(), homedir()],
    ['a folder above it', '/', '/'],
    ['a hidden folder', join(homedir(), '.config/x'), join(homedir(), '.config/x')],
    ['another folder than the call names', '/home/me/code', '/home/me/other'],
  ])('covers no files where the agent works in %s', (_what, cwd, workspace) => {
    expect(requestFacts({ ...requestOf({ agent: agentOf({ cwd }) }), workspace }).folder).toBeUndefined();
  });

  it('[req:NC-4] is renewed rather than listed twice, keeps its uses, and stays another for other acts, sites and lengths', () => {
    const { grants, open, time } = store();
    const first = grants.add('time', asked());
    grants.use(first.id);
    time.now += 5 * 60_000;
    const again = grants.add('time', asked());
    expect(again).toMatchObject({ id: first.id, used: 1, expiresAt: new Date(time.now + 10 * 60_000).toISOString() });
    expect(grants.list()).toEqual([again]);
    expect(open().list()).toEqual([again]);
    const others = [asked({ effect: 'pointer' }), asked({ app: FIREFOX, url: 'https://a.example/' }), asked({ agent: agentOf({ pid: 9 }) })]; // prettier-ignore
    for (const other of others) grants.add('time', other);
    for (const _ of [1, 2]) grants.add('session', asked());
    for (const _ of [1, 2]) grants.add('always', asked());
    expect(grants.list()).toHaveLength(6);
    grants.revoke(first.id);
    expect(grants.live(first.id)).toBe(false);
  });

  it('does not come back when the clock is set back', () => {
    const { grants, time } = store();
    grants.add('time', asked());
    time.now += 11 * 60_000;
    expect(grants.match(asked())).toBeNull();
    time.now = START;
    expect(grants.match(asked())).toBeNull();
  });

  it('is for one process: not for the next one with its pid, nor for another script or executable', () => {
    const { grants } = store();
    grants.add('session', asked({ agent: agentOf({ executable: '/usr/bin/node', script: '/a.js' }) }));
    const like = (over: object) => asked({ agent: agentOf({ executable: '/usr/bin/node', script: '/a.js', ...over }) });
    expect(grants.match(like({}))).not.toBeNull();
    for (const over of [
      { pid: 101 },
      { startTime: '8' },
      { script: '/b.js' },
      { script: null },
      { executable: '/tmp/node' },
    ])
      expect(grants.match(like(over))).toBeNull();
  });

  it('takes no notice of what a client calls itself, and has nothing for a process the kernel will not name', () => {
    const { grants } = store();
    grants.add('session', asked({ agent: agentOf({ claim: 'Claude Code 2.1' }) }));
    const borrowed = agentOf({ pid: 666, claim: 'Claude Code 2.1', name: 'Claude Code', executable: '/tmp/evil' });
    expect(grants.match(asked({ agent: borrowed }))).toBeNull();
    const nameless = asked({ agent: agentOf({ executable: '' }) });
    expect(choicesFor(nameless, [], rules).map(({ kind }) => kind)).toEqual(['once']);
    expect(() => grants.add('time', nameless)).toThrow();
  });

  it('[req:DS-6-12] is for one origin in a browser, and there is none without one', () => {
    const { grants } = store();
    const at = (url: string | null) => asked({ app: FIREFOX, url });
    const grant = grants.add('time', at('https://mail.example.com/inbox?a=1'));
    expect(grant.origin).toBe('https://mail.example.com');
    expect(grants.match(at('https://mail.example.com/other'))).not.toBeNull();
    for (const url of [
      'https://example.com/',
      'http://mail.example.com/',
      'https://mail.example.com:8443/',
      'about:blank',
      'file:///etc/passwd',
      'nonsense',
      null,
    ])
      expect(grants.match(at(url))).toBeNull();
    for (const url of ['about:blank', 'data:text/html,x', null]) {
      expect(() => grants.add('time', at(url))).toThrow();
      expect(choicesFor(at(url), [], rules)).toHaveLength(1);
    }
  });

  it('[req:PG-6] says how often it was used, to listeners too and after a restart, and names its application', () => {
    const { grants, open } = store();
    const { id } = grants.add('time', asked());
    const heard: (number | undefined)[] = [];
    const end = grants.onUse(() => heard.push(grants.list()[0]?.used));
    expect(grants.use(id)).toBe(true);
    expect(grants.use(id, 3)).toBe(true);
    end();
    grants.use(id);
    expect(heard).toEqual([1, 4]);
    expect(open().list()).toMatchObject([{ used: 5, usesLeft: null, appName: 'Mail' }]);
    const counted = grants.add('time', asked(), 9);
    grants.use(counted.id, 2);
    expect(open().list().at(-1)).toMatchObject({ used: 2, usesLeft: 7 });
  });

  it('[req:DS-6-12] counts uses, and lets the act that took the last one finish', () => {
    const { grants, open } = store();
    const grant = grants.add('time', asked(), 2);
    expect(grants.use(grant.id)).toBe(true);
    expect(open().list()).toMatchObject([{ usesLeft: 1 }]);
    expect(grants.use(grant.id, 2)).toBe(false);
    expect(grants.use(grant.id)).toBe(true);
    expect(grants.match(asked())).toBeNull();
    expect(grants.use(grant.id)).toBe(false);
    expect(grants.live(grant.id)).toBe(true);
    expect(open().list()).toEqual([]);
    expect(grants.revoke(grant.id)).toBe(true);
    expect(grants.live(grant.id)).toBe(false);
  });
});

describe('the file', () => {
  it('is private and whole, and survives a restart', () => {
    const { grants, file, open } = store();
    const grant = grants.add('session', asked());
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ grants: [{ id: grant.id }] });
    expect(open().match(asked())?.id).toBe(grant.id);
    grants.revoke(grant.id);
    expect(open().list()).toEqual([]);
  });

  it.each([
    ['no JSON', '{'],
    ['another shape', '{"version":1,"grants":{}}'],
    ['an unknown version', '{"version":2,"grants":[]}'],
  ])('gives nothing from %s', (_what, text) => {
    const { file, open, failures } = store();
    writeFileSync(file, text, { mode: 0o600 });
    expect(open().list()).toEqual([]);
    expect(failures).toHaveLength(1);
  });

  it('gives nothing from a link, or from a file others can open', () => {
    const { file, open, grants, failures } = store();
    grants.add('always', asked());
    chmodSync(file, 0o644);
    expect(open().list()).toEqual([]);
    rmSync(file);
    const elsewhere = join(tempDir(), 'g.json');
    writeFileSync(elsewhere, JSON.stringify({ version: 1, grants: [createOne()] }), { mode: 0o600 });
    symlinkSync(elsewhere, file);
    expect(open().list()).toEqual([]);
    expect(failures).toHaveLength(2);
  });

  it('drops what no host could have written: dangerous, endless, from the future', () => {
    const { file, open } = store();
    const good = createOne();
    const pid = { ...good.agent, pid: 1, startTime: '1' };
    const bad = [
      { ...good, effects: ['dangerous'] },
      { ...good, kind: 'session', agent: pid, expiresAt: null },
      { ...good, kind: 'time', agent: pid, expiresAt: new Date(START + 86_400_000).toISOString() },
      { ...good, createdAt: new Date(START + 1000).toISOString() },
      { ...good, agent: pid },
      { ...good, kind: 'once' },
    ].map((grant) => ({ ...grant, id: randomUUID() }));
    writeFileSync(file, JSON.stringify({ version: 1, grants: [...bad, good] }), { mode: 0o600 });
    expect(
      open()
        .list()
        .map(({ id }) => id),
    ).toEqual([good.id]);
  });

  it('gives no grant that cannot be written, and takes one away even then', () => {
    const dir = join(tempDir(), 'state');
    mkdirSync(dir);
    const { grants, open, file } = store(dir);
    const kept = grants.add('session', asked());
    rmSync(dir, { recursive: true });
    writeFileSync(dir, 'in the way');
    expect(() => grants.add('time', asked({ app: { id: 'notes', name: 'Notes' } }))).toThrow();
    expect(grants.list().map(({ id }) => id)).toEqual([kept.id]);
    expect(grants.revoke(kept.id)).toBe(true);
    expect(grants.match(asked())).toBeNull();
    rmSync(dir);
    mkdirSync(dir);
    writeFileSync(file, JSON.stringify({ version: 1, grants: [kept] }), { mode: 0o600 });
    grants.expire();
    expect(open().list()).toEqual([]);
  });

  it('is not changed through what it lists', () => {
    const { grants } = store();
    grants.add('time', asked());
    const [listed] = grants.list();
    listed?.effects.push('dangerous');
    expect(grants.list()[0]?.effects).toEqual(['disclose', 'pointer', 'input']);
    expect(MAIL.id).toBe(grants.list()[0]?.appId);
  });
});
