import { describe, expect, it } from 'vitest';
import type { ApprovalRequest } from '../../src/main/approvals/request.js';
import type { StepPlan } from '../../src/main/approvals/plan.js';
import { presetPolicy } from '../../src/main/approvals/index.js';
import type { Effect } from '../../src/main/protocol/index.js';
import { MAIL, agentOf, call, callerOf, onlyCard, planOf, press, requestOf, world } from './support.js';
import { CHROMIUM, PAGE, allowed } from './task-world.js';
import { message } from '../../src/messages/index.js';

const stepOf = (effect: Effect, more: Partial<StepPlan> = {}): StepPlan => {
  const plan = planOf();
  return {
    tool: 'click_element',
    effect,
    subject: plan.subject,
    arguments: { element_id: 'e:1' },
    plan,
    late: null,
    ...more,
  };
};

function planned(steps: StepPlan[], more: Partial<ApprovalRequest> = {}): ApprovalRequest {
  const request = requestOf({ tool: 'run_plan' });
  const plan = { ...planOf(), target: { kind: 'none' as const }, steps };
  return { ...request, action: { ...request.action, effect: 'input' }, plan, ...more };
}

/** The person gives ten minutes in Mail. */
async function granted() {
  const given = world();
  const first = call(given.approvals);
  press(given, 'allow', { grant: 'time' });
  expect((await first.decision).kind).toBe('allowed');
  return given;
}

describe('a sequence under a grant', () => {
  it('runs without a card when all of it is what the grant is for', async () => {
    const { approvals } = await granted();
    const one = call(
      approvals,
      planned([stepOf('input'), stepOf('pointer'), stepOf('disclose'), stepOf('bookkeeping', { plan: null })]),
    );
    expect(await one.decision).toMatchObject({ kind: 'allowed', by: 'grant' });
  });

  it.each<[string, StepPlan[], Partial<ApprovalRequest>]>([
    ['has consequences', [stepOf('input'), stepOf('dangerous')], {}],
    ['reaches another application', [stepOf('input')], { alwaysAsk: true }],
  ])('is asked when it %s', async (_what, steps, more) => {
    const { approvals } = await granted();
    const one = call(approvals, planned(steps, more));
    expect(await one.state()).toBe('pending');
    expect(onlyCard(approvals).steps).toHaveLength(steps.length);
    one.end('withdraw');
    await one.decision.catch(() => undefined);
  });
});

describe('a file for a dialog', () => {
  const file = { ...planOf(), file: '/home/me/code/new.txt' };
  const given = (path = file.file): ApprovalRequest => ({ ...requestOf(), plan: { ...file, file: path } });

  it('is not covered by what is remembered, nor remembered', async () => {
    const policy = presetPolicy('standard');
    policy.effects.input = 'ask_once_per_session';
    const w = world({ policy });
    const first = call(w.approvals);
    press(w, 'allow');
    await first.decision;
    for (const request of [given(), given()]) {
      const one = call(w.approvals, request);
      expect(await one.state()).toBe('pending');
      expect(onlyCard(w.approvals).grants[0]?.label.code).toBe('grant.once');
      press(w, 'allow');
      await one.decision;
    }
  });

  it.each(['own', 'task'] as const)(
    'is covered by a desktop of the agent’s own and by a task only in its folder: %s',
    async (by) => {
      const w = world();
      const runs = async (request: ApprovalRequest, workspace = request.workspace) => {
        const one = call(w.approvals, { ...request, workspace, ...(by === 'own' ? { own: true as const } : {}) });
        const state = await one.state();
        if (state === 'pending') one.end('withdraw');
        return state !== 'pending';
      };
      const { app } = planOf().window ?? {};
      if (app === undefined) throw new Error('no application');
      const scope = { apps: [{ id: app.id, name: app.name, ...(app.program === undefined ? {} : { program: app.program }) }], sites: [], effects: ['see', 'click', 'type'] as const, minutes: 30, acts: 50 }; // prettier-ignore
      const asked = { ...scope, effects: [...scope.effects] };
      if (by === 'task')
        w.approvals.tasks.start(callerOf(agentOf()), 'Write', await allowed(w, asked), given().workspace);
      expect(await runs(given())).toBe(true);
      for (const path of ['/home/me/other.txt', '/home/me/codex/a', '/home/me/code/.env', '/home/me/code/.git/config', '/etc/passwd'])
      expect(await runs(given(path)), path).toBe(false); // prettier-ignore
      expect(await runs({ ...given(), action: { ...given().action, effect: 'dangerous' } })).toBe(false);
      expect(await runs({ ...given(), alwaysAsk: true })).toBe(false);
      if (by === 'task') w.approvals.tasks.start(callerOf(agentOf()), 'Write', await allowed(w, asked), '/home/me');
      expect(await runs(given(), '/home/me')).toBe(false);
    },
  );

  it.each(['own', 'task'] as const)('asks for a file of a browser, which would go to a site: %s', async (by) => {
    const w = world();
    if (by === 'task') w.approvals.tasks.start(callerOf(agentOf()), 'Fill in', await allowed(w), '/home/me/code');
    const request = (more: object) => {
      const plain = requestOf({ app: CHROMIUM, url: PAGE });
      const own = by === 'own' ? { own: true as const } : {};
      return { ...plain, ...own, plan: plain.plan && { ...plain.plan, ...more } };
    };
    expect(await call(w.approvals, request({})).decision).toMatchObject({ kind: 'allowed' });
    const one = call(w.approvals, request({ file: file.file }));
    expect(await one.state()).toBe('pending');
    one.end('withdraw');
  });

  it('is covered by a grant for its application only in the folder of the agent', async () => {
    const { approvals } = await granted();
    expect(await call(approvals, given()).decision).toMatchObject({ kind: 'allowed', by: 'grant' });
    const other = call(approvals, given('/home/me/other.txt'));
    expect(await other.state()).toBe('pending');
    other.end('withdraw');
    await other.decision.catch(() => undefined);
  });
});

describe('the policy', () => {
  it('judges every class and every application among the steps', async () => {
    const policy = presetPolicy('standard');
    policy.effects.pointer = 'deny';
    policy.excludedApps = ['keepass'];
    const { approvals } = world({ policy });
    const moved = call(approvals, planned([stepOf('input'), stepOf('pointer')]));
    expect(await moved.decision).toMatchObject({ kind: 'denied', reason: 'policy' });
    const window = { ...planOf({ app: { id: 'KeePass', name: 'KeePass' } }) };
    const closed = call(approvals, planned([stepOf('input'), stepOf('input', { plan: window })]));
    expect(await closed.decision).toMatchObject({
      kind: 'denied',
      message: message('policy.excludes', { app: 'KeePass' }),
    });
    const app = { pid: 1, startTime: '1', id: 'keepass', name: 'Kee' };
    const late = call(
      approvals,
      planned([stepOf('input', { plan: null, late: { name: 'x', app, windows: [], origin: null } })]),
    );
    expect(await late.decision).toMatchObject({ kind: 'denied' });
  });

  it('that remembers one class does not let another pass with it', async () => {
    const policy = presetPolicy('standard');
    policy.effects.input = 'ask_once_per_session';
    policy.effects.pointer = 'ask_once_per_session';
    const given = world({ policy });
    const first = call(given.approvals, requestOf());
    press(given, 'allow');
    await first.decision;
    expect(await call(given.approvals, planned([stepOf('input')])).decision).toMatchObject({ kind: 'allowed' });
    for (const steps of [
      [stepOf('input'), stepOf('pointer')],
      [stepOf('input'), stepOf('disclose')],
    ]) {
      const one = call(given.approvals, planned(steps));
      expect(await one.state()).toBe('pending');
      one.end('withdraw');
      await one.decision.catch(() => undefined);
    }
  });
});

describe('the card of a sequence', () => {
  it('shows every step whole, and is another card when any of them is another', async () => {
    const { approvals, events } = world();
    const late = stepOf('input', { plan: null, late: { name: 'mail', app: null, windows: [], origin: null } });
    const steps = [stepOf('input', { plan: { ...planOf(), text: 'Dear Ada' } }), late];
    const one = call(approvals, planned(steps));
    await one.state();
    const card = onlyCard(approvals);
    expect(card.steps).toMatchObject([
      {
        tool: 'click_element',
        text: 'Dear Ada',
        process: { appId: MAIL.id },
        late: null,
        arguments: { element_id: 'e:1' },
      },
      { tool: 'click_element', text: null, process: null, late: 'mail' },
    ]);
    const { callKey } = one.request;
    const same = call(approvals, planned(steps, { callKey }));
    expect(await same.state()).toBe('pending');
    expect(approvals.cards()).toHaveLength(1);
    expect(same.waiting).toHaveLength(1);
    for (const change of [
      { arguments: { element_id: 'e:2' } },
      { plan: planOf({ windowId: 'w2' }) },
      { effect: 'dangerous' as const },
    ]) {
      const other = call(approvals, planned([{ ...stepOf('input'), ...change }, late], { callKey }));
      expect(await other.state()).toBe('pending');
      expect(other.waiting).toEqual([]);
      other.end('withdraw');
      await other.decision.catch(() => undefined);
    }
    expect(events.filter(({ kind }) => kind === 'requested')).toHaveLength(1);
    for (const each of [one, same]) each.end('withdraw');
    await Promise.allSettled([one.decision, same.decision]);
  });
});
