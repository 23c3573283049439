import { expect, test } from 'vitest';
import type { Plan } from '../../src/main/approvals/plan.js';
import { call, MAIL, press, world } from './support.js';
import { inEnglish } from '../support/in-english.js';

const rect = { x: 0, y: 0, width: 100, height: 50 };
const WHAT = {
  titles: { app: null, target: { kind: 'titles' } },
  screen: { app: null, target: { kind: 'screen', rect } },
  region: { app: null, target: { kind: 'screen', rect, part: true } },
  other: { app: null, target: { kind: 'screen', rect: { ...rect, x: 1 }, part: true } },
  app: { app: MAIL, target: { kind: 'window' } },
  clipboard: { app: null, target: { kind: 'none' } },
} satisfies Record<string, { app: typeof MAIL | null; target: Plan['target'] }>;

type What = keyof typeof WHAT;
const ALL = ['titles', 'screen', 'region', 'other', 'app', 'clipboard'] as const;

test.each<[What, What[], string]>([
  ['titles', ['titles'], 'see the names of applications and the titles of windows'],
  ['region', ['region'], 'see this part of the screen'],
  ['app', ['titles', 'app'], 'see everything Mail shows and the titles of windows'],
  ['clipboard', ['clipboard'], 'do this'],
  ['screen', ['titles', 'screen', 'region', 'other', 'app'], 'see everything on your screen'],
])('[req:TR-3] an Allow for %s covers %j and says so', async (allowed, covered, said) => {
  const w = world();
  const ask = (what: What) => call(w.approvals, { effect: 'disclose', tool: what, args: { what }, ...WHAT[what] });
  const first = ask(allowed);
  const [card] = w.approvals.cards();
  expect(card?.grants.map(inEnglish)[0]?.consequence).toBe(`Claude Code can ${said} until it quits.`);
  press(w, 'allow');
  await first.decision;
  for (const what of ALL) {
    const again = ask(what);
    const state = await again.state();
    expect([what, state === 'pending'], what).toEqual([what, !covered.includes(what)]);
    again.end('withdraw');
  }
});
