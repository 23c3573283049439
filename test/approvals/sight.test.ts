import { expect, it } from 'vitest';
import { presetPolicy } from '../../src/main/approvals/index.js';
import type { Rule } from '../../src/main/approvals/policy.js';
import { sightOf, sightOfApp } from '../../src/main/pipeline/sight.js';
import type { Window } from '../../src/native/desktop.js';
import { call, callerOf, FIREFOX, MAIL, planOf, press, START, world } from './support.js';

const CALLER = callerOf();
const maySee = (...[approver, caller, window]: [Parameters<typeof sightOf>[0], typeof CALLER, Window]): boolean =>
  sightOf(approver, caller, [sightOfApp(window.app, window)]) === 'sees';
const policy = (disclose: Rule) => ({
  ...presetPolicy('standard'),
  effects: { ...presetPolicy('standard').effects, disclose },
});

function windowOf(app = MAIL): Window {
  const { window } = planOf({ app });
  if (window === null) throw new Error('a plan without a window');
  return window;
}

it.each([
  ['deny', false],
  ['ask', false],
  ['ask_once_per_session', false],
  ['allow', true],
] as const)('with nothing allowed yet, a policy of %s tells: %s', (rule, may) => {
  expect(maySee(world({ policy: policy(rule) }).approvals, CALLER, windowOf())).toBe(may);
});

it('what was allowed for the session shows that application, until it is forgotten', () => {
  const w = world();
  call(w.approvals, { effect: 'disclose', target: { kind: 'reading', name: 'Mail' } });
  press(w, 'allow');
  expect(maySee(w.approvals, CALLER, windowOf())).toBe(true);
  expect(maySee(w.approvals, CALLER, windowOf(FIREFOX))).toBe(false);
  w.approvals.forget('agent-100');
  expect(maySee(w.approvals, CALLER, windowOf())).toBe(false);
});

it('an allowed act shows nothing', () => {
  const w = world();
  call(w.approvals, { effect: 'input' });
  press(w, 'allow');
  expect(maySee(w.approvals, CALLER, windowOf())).toBe(false);
});

it('a grant for looking shows its application as long as it lasts', () => {
  const w = world({ policy: policy('ask') });
  call(w.approvals, { effect: 'disclose', target: { kind: 'reading', name: 'Mail' } });
  press(w, 'allow', { grant: 'time' });
  expect(maySee(w.approvals, CALLER, windowOf())).toBe(true);
  expect(maySee(w.approvals, CALLER, windowOf(FIREFOX))).toBe(false);
  w.time.now = START + 3_600_000;
  expect(maySee(w.approvals, CALLER, windowOf())).toBe(false);
});
