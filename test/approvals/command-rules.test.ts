/** Rules for commands at a clock that the test moves, and in files that somebody changed. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createClock } from '../../src/main/approvals/clock.js';
import { createCommandRules, ruleChoices } from '../../src/main/approvals/command-rules.js';
import type { RequestFacts } from '../../src/main/approvals/request-facts.js';
import { asked } from './grant-store.js';
import { START, agentOf, tempDir } from './support.js';

const COMMAND: NonNullable<RequestFacts['command']> = {
  words: ['make', 'test'],
  folder: '/work',
  program: '/usr/bin/make',
  identity: '1:2',
  reads: false,
  sandbox: false,
  rule: { prefix: ['make', 'test'] },
};
const facts = (over: Partial<typeof COMMAND> = {}, more: Partial<RequestFacts> = {}): RequestFacts => ({
  ...asked({ effect: 'dangerous', app: null }),
  alwaysAsk: false,
  command: { ...COMMAND, ...over },
  ...more,
});

function store(dir = tempDir()) {
  const time = { now: START };
  const file = join(dir, 'command-rules.json');
  const log: unknown[] = [];
  const open = () =>
    createCommandRules({ file, clock: createClock(() => time.now, () => 0), log: (thrown) => log.push(thrown) }); // prettier-ignore
  return { time, file, log, open, rules: open() };
}

it.each([['prefix_time', 10 * 60_000], ['prefix', 12 * 3_600_000], ['exact', 12 * 3_600_000]] as const)('[req:CR-7] a rule of kind %s ends after its time', (kind, ms) => {
  const { rules, time } = store();
  const { id } = rules.add(kind, facts());
  expect(rules.match(facts())?.id).toBe(id);
  time.now += ms - 1;
  expect(rules.live(id)).toBe(true);
  time.now += 1;
  expect([rules.match(facts()), rules.live(id), rules.use(id), rules.list()]).toEqual([null, false, false, []]);
}); // prettier-ignore

it('[req:CR-5] there is none for what the host did not judge coverable, for an unknown program, and for the demo', () => {
  const { rules } = store();
  const unknown = facts({}, { agent: agentOf({ executable: '' }) });
  for (const one of [
    facts({ rule: null }),
    facts({}, { alwaysAsk: true }),
    unknown,
    facts({}, { agent: agentOf({ demo: true }) }),
  ]) {
    expect(ruleChoices(one)).toEqual([]);
    expect(() => rules.add('exact', one)).toThrow('no rule');
  }
  expect(() => rules.add('prefix', facts({ rule: { prefix: null } }))).toThrow('no rule');
  rules.add('prefix', facts());
  expect(rules.match(facts({ rule: null }))).toBeNull();
  expect(rules.match(facts({}, { alwaysAsk: true }))).toBeNull();
});

it('[req:CR-7] a rule made again is listed once, and counts what it let through', () => {
  const { rules } = store();
  rules.use(rules.add('exact', facts()).id);
  expect(rules.list().map(({ used }) => used)).toEqual([1]);
  rules.add('exact', facts());
  expect(rules.list()).toHaveLength(1);
});

it('[req:CR-7] a file with a rule that lasts too long, is of no process, or can be written by others, gives nothing', () => {
  const { rules, file, open } = store();
  rules.add('exact', facts());
  const kept = readFileSync(file, 'utf8');
  expect(open().list()).toHaveLength(1);
  for (const [from, to] of [
    [/"expiresAt":"[^"]+"/, '"expiresAt":"2999-01-01T00:00:00.000Z"'],
    [/"pid":\d+/, '"pid":null'],
    [/"kind":"session"/, '"kind":"always"'],
    [/"createdAt":"2026/, '"createdAt":"2126'],
    ['"version":1', '"version":2'],
  ] as const) {
    // prettier-ignore
    writeFileSync(file, kept.replace(from, to));
    expect(open().list(), String(from)).toEqual([]);
  }
  writeFileSync(file, kept);
  chmodSync(file, 0o666);
  expect(open().list()).toEqual([]);
});

it('[req:CR-8] what was denied stays denied after a restart, until it gets a rule of its own', () => {
  const { rules, open } = store();
  rules.deny(facts());
  rules.add('prefix', facts({ words: ['make', 'test', '-j4'] }));
  const again = open();
  expect(again.match(facts())).toBeNull();
  expect(again.match(facts({ words: ['make', 'test', '-j4'] }))).not.toBeNull();
  again.add('exact', facts());
  expect(again.match(facts())).not.toBeNull();
});
