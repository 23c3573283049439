import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NEVER_ALWAYS } from '../../src/main/approvals/app-kinds.js';
import { choicesFor, whyAskedAnyway } from '../../src/main/approvals/choices.js';
import { asked, createOne, rules, store } from './grant-store.js';
import { agentOf, FIREFOX } from './support.js';
import { formatEnglish } from '../../src/messages/index.js';
import { inEnglish } from '../support/in-english.js';

describe('[req:AP-S-6] the demo of this host', () => {
  it('is offered nothing but this once, and no grant of another is for it', () => {
    const { grants } = store();
    const demo = agentOf({ demo: true });
    expect(choicesFor(asked({ agent: demo }), [], rules).map(({ kind }) => kind)).toEqual(['once']);
    for (const kind of ['time', 'session', 'always'] as const) {
      expect(() => grants.add(kind, asked({ agent: demo }))).toThrow('no grant');
      grants.add(kind, asked());
    }
    expect(grants.match(asked())).not.toBeNull();
    expect(grants.match(asked({ agent: demo }))).toBeNull();
  });
});

describe('always', () => {
  it('is for any process of that executable and script', () => {
    const { grants, open, time } = store();
    const grant = grants.add('always', asked());
    expect(grant).toMatchObject({
      expiresAt: null,
      agent: { pid: null, startTime: null, executable: '/usr/bin/claude' },
    });
    time.now += 400 * 86_400_000;
    expect(open().match(asked({ agent: agentOf({ pid: 9, startTime: '1' }) }))?.id).toBe(grant.id);
    expect(open().match(asked({ agent: agentOf({ executable: '/tmp/claude' }) }))).toBeNull();
  });

  it.each([...NEVER_ALWAYS.keys()])('[req:DS-6-13] is never given for a %s', (kind) => {
    const { grants } = store();
    for (const id of NEVER_ALWAYS.get(kind) ?? []) {
      const app = { id: id.replace('*', 'x'), name: 'Innocent' };
      expect(choicesFor(asked({ app }), [], rules).map((choice) => choice.kind)).not.toContain('always');
      expect(() => grants.add('always', asked({ app, url: 'https://a.example/' }))).toThrow();
    }
  });

  it.each([
    ['com.apple.Terminal', 'Terminal'],
    ['org.gnome.Terminal.desktop', 'Terminal'],
    ['XTerm', 'xterm'],
    ['com.unknown.thing', 'Visual Studio Code'],
    ['jetbrains-idea', 'IntelliJ'],
    ['org.gnome.Nautilus', 'Files'],
    ['com.1password.1password', '1Password'],
    ['com.apple.systempreferences', 'System Settings'],
    ['com.raycast.macos', 'Raycast'],
    ['dev.chaperone.app', 'Chaperone'],
  ])('[req:DS-6-13] is never given for %s', (id, name) => {
    expect(choicesFor(asked({ app: { id, name } }), [], rules).map(({ kind }) => kind)).not.toContain('always');
  });

  it('is not given to an interpreter whose script is unknown', () => {
    for (const executable of ['/usr/bin/node', '/usr/bin/python3.11', '/bin/zsh', '/usr/bin/env']) {
      const kinds = (script: string | null) =>
        choicesFor(asked({ agent: agentOf({ executable, script }) }), [], rules).map(({ kind }) => kind);
      expect(kinds(null)).toEqual(['once', 'time', 'session']);
      expect(kinds('/home/me/agent.js')).toContain('always');
    }
  });

  it('stops counting when an application becomes one of those', () => {
    const { file, open } = store();
    const grant = { ...createOne(), appId: 'com.apple.Terminal' };
    writeFileSync(file, JSON.stringify({ version: 1, grants: [grant] }), { mode: 0o600 });
    expect(open().match(asked({ app: { id: 'com.apple.Terminal', name: 'Terminal' } }))).toBeNull();
  });
});

const FILES = ', open files in /home/me/code, and save new ones there';

describe('choices, in words', () => {
  it('[req:DS-6-13] offers this one time first, and nothing longer for what is dangerous', () => {
    expect(choicesFor(asked(), [], rules).map(inEnglish)).toEqual([
      {
        kind: 'once',
        label: 'Only this time',
        consequence: 'It can do this once. You’ll be asked again next time.',
        covered: null,
      },
      {
        kind: 'time',
        label: 'Allow in Mail, 10 min',
        consequence: `For 10 minutes it can see, click and type in Mail${FILES}.`,
        covered: null,
      },
      {
        kind: 'session',
        label: 'Allow in Mail until Claude Code quits',
        consequence: `Until it quits, for at most 12 hours, Claude Code can see, click and type in Mail${FILES}.`,
        covered: null,
      },
      {
        kind: 'always',
        label: 'Allow in Mail, always',
        consequence: `Claude Code (/usr/bin/claude) can always see, click and type in Mail${FILES}. You can revoke it in Settings.`,
        covered: null,
      },
    ]);
    expect(choicesFor(asked({ effect: 'dangerous' }), [], rules)).toEqual([]);
    expect(choicesFor(asked({ effect: 'dangerous' }), [], { remembered: true, grants: true })).toEqual([]);
    expect(choicesFor(asked({ app: null }), [], rules)).toHaveLength(1);
    expect(choicesFor(asked(), [], { remembered: false, grants: false })).toHaveLength(1);
    expect(choicesFor(asked({ app: { id: 'chaperone', name: 'Chaperone' } }), [], rules)).toHaveLength(1);
  });

  it('says when Allow is remembered anyway', () => {
    const [first] = choicesFor(asked({ effect: 'disclose' }), [], { remembered: true, grants: true }).map(inEnglish);
    expect(first).toMatchObject({ kind: 'once', label: 'Until Claude Code quits' });
    expect(first?.consequence).toContain('Mail');
  });

  it('[req:DS-6-16] says what it would have covered of the last requests', () => {
    const past = [
      ...Array.from({ length: 7 }, () => asked()),
      asked({ alwaysAsk: true }),
      asked({ app: { id: 'safari', name: 'Safari' } }),
      asked({ app: { id: 'notes', name: 'Notes' } }),
    ];
    const [once, time] = choicesFor(asked(), past, rules);
    expect(once?.covered).toBeNull();
    expect(time?.covered).toEqual({ would: 7, of: 10 });
    expect(choicesFor(asked(), past.slice(7), rules)[1]?.covered).toBeNull();
  });

  it('[req:NC-4] offers nothing longer for a kind of request that is asked every time', () => {
    for (const remembered of [false, true])
      expect(choicesFor(asked({ alwaysAsk: true }), [], { ...rules, remembered }).map(inEnglish)).toEqual([
        {
          kind: 'once',
          label: 'Only this time',
          consequence: 'It can do this once. You’ll be asked again next time.',
          covered: null,
        },
      ]);
  });

  it('[req:NC-5] says why a request comes although there is a grant, and nothing where none is for its application', () => {
    const { grants } = store();
    const why = (facts: Parameters<typeof asked>[0]) => whyOf(asked(facts));
    const whyOf = (one: ReturnType<typeof asked>) => {
      const told = whyAskedAnyway(grants.ofAgent(one), one);
      return told === null ? null : formatEnglish(told);
    };
    expect(why({ alwaysAsk: true })).toBeNull();
    grants.add('time', asked());
    grants.add('time', asked({ app: FIREFOX, url: 'https://a.example/' }));
    expect(why({})).toBeNull();
    const allowed = 'Asked although you allowed clicks and typing';
    expect(why({ alwaysAsk: true })).toBe(`${allowed} in Mail: Chaperone asks about this kind of action every time.`);
    expect(why({ effect: 'dangerous' })).toBe(`${allowed} in Mail: this may be irreversible or reach other people.`);
    expect(why({ app: FIREFOX, url: 'https://b.example/' })).toBe(`${allowed} on https://a.example: this is a different site.`); // prettier-ignore
    for (const [asksFor, said] of [
      ['enter', 'Enter can send or confirm here'],
      ['control', 'the text has control characters'],
      ['beyond', 'these keys can leave the window'],
      ['file', 'this can hand over a file'],
      ['hidden', 'the record would lie in a hidden folder'],
    ] as const)
      expect(whyOf({ ...asked(), alwaysAsk: true, asksFor })).toContain(`${allowed} in Mail: ${said}`);
    expect(whyOf({ ...asked(), file: '/etc/passwd' })).toContain('this file is not among those you allowed');
    expect(whyOf({ ...asked(), file: '/home/me/code/a.txt' })).toBeNull();
    expect(why({ app: { id: 'other', name: 'Other' }, alwaysAsk: true })).toBeNull();
    expect(why({ agent: agentOf({ pid: 9, startTime: '1' }), alwaysAsk: true })).toBeNull();
  });

  it('lets no application’s name hide or turn around the words', () => {
    const words = JSON.stringify(choicesFor(asked({ app: { id: 'x', name: 'Ma\u202Eil\u200B\n' } }), [], rules));
    expect(words).not.toMatch(/[\u202E\u200B]|\\n/);
  });
});
