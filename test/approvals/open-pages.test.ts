/** What covers the opening of a page in a browser: a grant for its site in that program, or a task with its site. */
import { describe, expect, it } from 'vitest';
import { choicesFor } from '../../src/main/approvals/choices.js';
import { requestFacts } from '../../src/main/approvals/request-facts.js';
import { sightOfApp } from '../../src/main/pipeline/sight.js';
import { rules, store } from './grant-store.js';
import { agentOf, planOf, requestOf, world, callerOf } from './support.js';
import { CHROMIUM, MOUSEPAD, SCOPE, SITE, runs, started } from './task-world.js';

const OPENS = {
  opens: { ...CHROMIUM, otherIds: [] },
  text: `${SITE}/`,
  target: { kind: 'none' as const },
  window: null,
};
const plan = (program: string, site = SITE) => ({ ...OPENS, site, application: { ...CHROMIUM, program } });
const opening = (program = CHROMIUM.program, site = SITE) =>
  requestFacts({ ...requestOf({ app: null }), plan: { ...planOf({ app: null }), ...plan(program, site) } });
const onSite = (program = CHROMIUM.program, url = `${SITE}/order`) =>
  requestFacts(requestOf({ app: { ...CHROMIUM, program }, url }));

describe('a grant for a site', () => {
  it('covers opening a page of it in that browser, and no other site or program', () => {
    const { grants } = store();
    grants.add('session', onSite());
    expect(grants.match(opening())).not.toBeNull();
    expect(grants.match(opening(CHROMIUM.program, 'http://localhost:18098'))).toBeNull();
    expect(grants.match(opening('/tmp/chromium'))).toBeNull();
    expect(grants.match(opening(''))).toBeNull();
  });

  it('that is given before the browser runs is for the program that its agent then starts', () => {
    const { grants } = store();
    const choices = choicesFor(opening(''), [], { ...rules, always: true }).map(({ kind }) => kind);
    expect(choices).toEqual(['once', 'time', 'session']);
    grants.add('session', opening(''));
    for (const one of [opening(''), opening(), onSite(''), onSite()]) expect(grants.match(one)).toBeNull();
    grants.opened('another agent', CHROMIUM);
    grants.opened(agentOf().id, MOUSEPAD);
    grants.opened(agentOf().id, { ...CHROMIUM, program: '' });
    expect(grants.match(onSite())).toBeNull();
    grants.opened(agentOf().id, CHROMIUM);
    expect(grants.match(onSite())).not.toBeNull();
    expect(grants.match(opening())).not.toBeNull();
    grants.opened(agentOf().id, { ...CHROMIUM, program: '/tmp/chromium' });
    expect(grants.match(onSite('/tmp/chromium'))).toBeNull();
  });

  it('is offered for no application that is not opened at a site', () => {
    const elsewhere = requestFacts({ ...requestOf(), plan: { ...planOf(), application: { ...CHROMIUM, program: '' }, window: null } }); // prettier-ignore
    expect(choicesFor(elsewhere, [], rules).map(({ kind }) => kind)).toEqual(['once']);
    const unknown = requestFacts(requestOf({ app: { ...MOUSEPAD, program: '' } }));
    expect(choicesFor(unknown, [], rules).map(({ kind }) => kind)).toEqual(['once']);
  });
});

describe('a task', () => {
  it('covers opening its sites in its browser, whether it runs or not', async () => {
    const w = world();
    await started(w);
    for (const program of ['', CHROMIUM.program]) {
      expect(await runs(w, { plan: plan(program) }), program).toBe(true);
      expect(await runs(w, { plan: plan(program, 'http://localhost:18098') }), program).toBe(false);
      expect(await runs(w, { plan: plan(program, 'https://localhost:18099') }), program).toBe(false);
    }
    expect(await runs(w, { plan: { ...plan(''), opens: { id: 'firefox', name: 'Firefox' } } })).toBe(false);
  });

  it('of clicks alone does not tell what came of it', async () => {
    const w = world();
    const seen = (site: string) =>
      w.approvals.sight(callerOf(agentOf()), { ...sightOfApp({ ...CHROMIUM, program: '' }, null), site, opens: OPENS.opens }); // prettier-ignore
    await started(w);
    expect(seen(SITE)).toBe('sees');
    expect(seen('http://localhost:18098')).toBe('asks');
    await started(w, { ...SCOPE, effects: ['click', 'type'] });
    expect(seen(SITE)).toBe('asks');
  });
});
