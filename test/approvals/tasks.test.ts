import { describe, expect, it } from 'vitest';
import { presetPolicy } from '../../src/main/approvals/index.js';
import { requestFacts } from '../../src/main/approvals/request-facts.js';
import { taskCovers } from '../../src/main/approvals/tasks.js';
import type { RunningTask, TaskScope } from '../../src/main/protocol/index.js';
import { START, agentOf, call, callerOf, planOf, world, type World } from './support.js';
import { CHROMIUM, GIMP, KEYS, MOUSEPAD, PAGE, PURPOSE, SCOPE, TEXT, actOf, allowed, runs, started, type Wanted } from './task-world.js'; // prettier-ignore

describe('a task', () => {
  it('covers looking, the pointer and input in its applications and on its sites, with one request', async () => {
    const w = world();
    await started(w);
    for (const effect of ['disclose', 'pointer', 'input'] as const) {
      expect(await runs(w, { effect }), effect).toBe(true);
      expect(await runs(w, { effect, app: CHROMIUM, url: PAGE }), effect).toBe(true);
    }
    expect(w.events.filter(({ kind }) => kind === 'requested')).toHaveLength(1);
  });

  it('asks as usual outside it, and goes on', async () => {
    const w = world();
    const task = await started(w);
    const outside: Wanted[] = [
      { app: GIMP },
      { app: { ...MOUSEPAD, program: '/tmp/mousepad' } },
      { app: { ...MOUSEPAD, program: '' } },
      { app: CHROMIUM, url: 'http://localhost:18098/' },
      { app: CHROMIUM, url: 'https://localhost:18099/' },
      { app: CHROMIUM, url: 'http://localhost.example:18099/' },
      { app: CHROMIUM, url: null },
      { app: CHROMIUM, url: 'about:blank' },
      { app: null },
      { effect: 'dangerous' },
      { alwaysAsk: true },
      { effect: 'dangerous', app: CHROMIUM, url: PAGE },
    ];
    for (const one of outside) expect(await runs(w, one), JSON.stringify(one)).toBe(false);
    expect(w.approvals.tasks.of(agentOf().id)?.id).toBe(task.id);
    expect(await runs(w)).toBe(true);
  });

  it('covers nothing dangerous and nothing that is always asked for, by itself, whoever asks', () => {
    const facts = requestFacts(actOf());
    expect(taskCovers(SCOPE, facts)).toBe(true);
    const opens = { ...facts, opens: { id: MOUSEPAD.id, name: MOUSEPAD.name, otherIds: [] } };
    for (const one of [facts, opens]) {
      expect(taskCovers(SCOPE, { ...one, alwaysAsk: true })).toBe(false);
      expect(taskCovers(SCOPE, { ...one, effect: 'dangerous' })).toBe(false);
      expect(taskCovers(SCOPE, { ...one, personOnly: true })).toBe(false);
    }
    expect(taskCovers(SCOPE, { ...facts, does: undefined })).toBe(false);
  });

  it('is for one process: another one, a restarted one and one that nobody knows get nothing', async () => {
    const w = world();
    await started(w);
    const others = [{ pid: 101 }, { startTime: '8' }, { executable: '/tmp/claude' }, { script: '/a.js' }, { id: 'agent-100-2' }, { executable: '' }, { via: 'ssh' as const }, { demo: true as const }]; // prettier-ignore
    for (const over of others) expect(await runs(w, { agent: agentOf({ id: 'agent-100', ...over }) }), JSON.stringify(over)).toBe(false); // prettier-ignore
    expect(await runs(w)).toBe(true);
  });

  it('is not started for an agent that the system does not name, nor for the demo', async () => {
    for (const over of [{ executable: '' }, { demo: true as const }]) {
      const w = world();
      const caller = callerOf(agentOf(over));
      expect(w.approvals.tasks.problem(caller), JSON.stringify(over)).not.toBeNull();
      const decision = await allowed(w, SCOPE, agentOf(over));
      expect(() => w.approvals.tasks.start(caller, PURPOSE, decision)).toThrow();
    }
  });

  it('holds only what it names of seeing, clicking and typing', async () => {
    const cases = [
      { effects: ['see'], see: true, click: false, type: false },
      { effects: ['click'], see: false, click: true, type: false },
      { effects: ['type'], see: false, click: false, type: true },
    ] as const;
    for (const { effects, see, click, type } of cases) {
      const w = world();
      await started(w, { ...SCOPE, effects: [...effects] });
      expect(await runs(w, { effect: 'disclose' }), `${effects[0]} see`).toBe(see);
      expect(await runs(w, { effect: 'pointer' }), `${effects[0]} point`).toBe(click);
      expect(await runs(w), `${effects[0]} click`).toBe(click);
      for (const plan of [KEYS, TEXT]) expect(await runs(w, { plan }), `${effects[0]} type`).toBe(type);
    }
  });

  it('covers a plan whose every step it covers, and counts each act of it', async () => {
    const w = world();
    await started(w);
    const step = (effect: 'input' | 'disclose' | 'dangerous', app = MOUSEPAD) => ({ tool: 'click', effect, subject: planOf().subject, arguments: {}, plan: planOf({ app }), late: null }); // prettier-ignore
    expect(await runs(w, { plan: { steps: [step('disclose'), step('input'), step('input')] } })).toBe(true);
    expect(w.approvals.tasks.of(agentOf().id)?.used).toBe(2);
    expect(await runs(w, { plan: { steps: [step('input'), step('dangerous')] } })).toBe(false);
    expect(await runs(w, { plan: { steps: Array.from({ length: 4 }, () => step('input')) } })).toBe(false);
    expect(w.approvals.tasks.of(agentOf().id)?.used).toBe(2);
  });

  it('never covers terminals, file managers, password managers, settings, or Chaperone itself', async () => {
    for (const id of [
      'xterm',
      'org.gnome.Nautilus',
      'org.keepassxc.KeePassXC',
      'org.gnome.Settings',
      'dev.chaperone.app',
    ]) {
      const app = { id, name: id, program: '/usr/bin/it' };
      const w = world();
      await started(w, { ...SCOPE, apps: [app] });
      expect(await runs(w, { app }), id).toBe(false);
      const innocent = { ...app, id: 'innocent', name: 'Innocent', otherIds: [id] };
      const other = world();
      await started(other, { ...SCOPE, apps: [innocent] });
      expect(await runs(other, { app: innocent }), id).toBe(false);
    }
  });

  it('does not reach past the policy: what it excludes or denies stays so', async () => {
    const w = world();
    await started(w);
    w.approvals.setPolicy({ ...presetPolicy('standard'), excludedApps: [MOUSEPAD.id] }, { by: 'key-1', where: 'page' });
    expect(await call(w.approvals, actOf()).decision).toMatchObject({ kind: 'denied', reason: 'policy' });
  });

  it('gives sight of its applications, and of no other', async () => {
    const w = world();
    const caller = callerOf();
    const plan = (app: typeof MOUSEPAD) => ({ ...planOf({ app }), target: { kind: 'reading' as const, name: app.name } }); // prettier-ignore
    expect(w.approvals.sight(caller, plan(MOUSEPAD))).toBe('asks');
    await started(w);
    expect(w.approvals.sight(caller, plan(MOUSEPAD))).toBe('sees');
    expect(w.approvals.sight(caller, plan(GIMP))).toBe('asks');
  });
});

describe('an application of a task that does not run yet', () => {
  const scope: TaskScope = { ...SCOPE, apps: [{ ...MOUSEPAD, program: null }] };
  const opens = (app: { id: string; name: string }, over: Wanted = {}): Wanted => ({ app: null, plan: { opens: app }, ...over }); // prettier-ignore

  it('may be started, and is covered from when this agent has started it', async () => {
    const w = world();
    await started(w, scope);
    expect(await runs(w)).toBe(false);
    expect(await runs(w, opens(MOUSEPAD))).toBe(true);
    w.approvals.tasks.opened('agent-7', MOUSEPAD);
    expect(await runs(w)).toBe(false);
    w.approvals.tasks.opened(agentOf().id, { ...MOUSEPAD, program: '' });
    expect(await runs(w, { app: { ...MOUSEPAD, program: '' } })).toBe(false);
    w.approvals.tasks.opened(agentOf().id, MOUSEPAD);
    expect(await runs(w)).toBe(true);
    w.approvals.tasks.opened(agentOf().id, { ...MOUSEPAD, program: '/tmp/mousepad' });
    expect(await runs(w, { app: { ...MOUSEPAD, program: '/tmp/mousepad' } })).toBe(false);
  });

  it('is no other one: opening asks for any application that it does not name, by path, and where it only looks', async () => {
    const w = world();
    await started(w, scope);
    expect(await runs(w, opens(GIMP))).toBe(false);
    expect(await runs(w, opens(MOUSEPAD, { effect: 'dangerous' }))).toBe(false);
    expect(await runs(w, opens(MOUSEPAD, { alwaysAsk: true }))).toBe(false);
    const looking = world();
    await started(looking, { ...scope, effects: ['see'] });
    expect(await runs(looking, opens(MOUSEPAD))).toBe(false);
  });
});

describe('a task ends', () => {
  const end = async (by: (w: World, task: RunningTask) => unknown, scope = SCOPE) => {
    const w = world();
    const task = await started(w, scope);
    const { decision } = call(w.approvals, actOf());
    const given = await decision;
    expect(w.approvals.revoked(given, callerOf())).toBe(false);
    await by(w, task);
    return { w, given, ended: w.approvals.tasks.of(agentOf().id) === null };
  };

  it('by time, by the agent, by the person, by Stop, by a pause of its agent, and by a policy without grants', async () => {
    const ways = [
      (w: World) => w.pass(30 * 60_000),
      (w: World) => w.approvals.tasks.finish(agentOf().id),
      (w: World, { id }: RunningTask) => w.approvals.tasks.end(id),
      (w: World) => w.approvals.stop({ by: 'key-1', where: 'page' }),
      (w: World) => w.approvals.pause({ on: true, by: 'key-1', where: 'page', agentId: agentOf().id }),
      (w: World) => w.approvals.setPolicy({ ...presetPolicy('standard'), grants: false }, { by: 'key-1', where: 'page' }), // prettier-ignore
    ];
    for (const [index, way] of ways.entries()) {
      const { w, given, ended } = await end(way);
      expect(ended, String(index)).toBe(true);
      expect(w.approvals.revoked(given, callerOf()), String(index)).toBe(true);
      w.approvals.pause({ on: false, by: 'key-1', where: 'page' });
      w.approvals.pause({ on: false, by: 'key-1', where: 'page', agentId: agentOf().id });
      expect(await runs(w), String(index)).toBe(false);
    }
  });

  it('lasts to its last minute, and does not come back when the clock is set back', async () => {
    const { w, given, ended } = await end((one) => one.pass(30 * 60_000 - 60_000));
    expect(ended).toBe(false);
    w.pass(60_000);
    expect(w.approvals.revoked(given, callerOf())).toBe(true);
    w.time.now = START;
    expect(w.approvals.tasks.of(agentOf().id)).toBeNull();
  });

  it('by count: the last act runs to its end, and the next one asks', async () => {
    const w = world();
    const task = await started(w, { ...SCOPE, acts: 2 });
    expect(await runs(w, { effect: 'disclose' })).toBe(true);
    expect(await runs(w)).toBe(true);
    const last = await call(w.approvals, actOf()).decision;
    expect(last).toMatchObject({ kind: 'allowed', where: 'task', grantId: task.id });
    expect(w.approvals.revoked(last, callerOf())).toBe(false);
    w.approvals.acted(last);
    expect(w.approvals.tasks.of(agentOf().id)).toBeNull();
    expect(await runs(w)).toBe(false);
  });

  it('when its agent quits', async () => {
    let runsStill = true;
    const w = world({ isRunning: () => runsStill });
    await started(w);
    runsStill = false;
    expect(await runs(w)).toBe(false);
  });

  it('with the connection of a program of another machine', async () => {
    const w = world();
    const agent = agentOf({ via: 'ssh', startTime: 'ssh:1' });
    await started(w, SCOPE, agent);
    w.approvals.endConnection({ id: 'another', startTime: 'ssh:2' });
    expect(await runs(w, { agent })).toBe(true);
    w.approvals.endConnection(agent);
    expect(await runs(w, { agent })).toBe(false);
  });

  it('with the host', async () => {
    const w = world();
    await started(w);
    w.approvals.close();
    const again = w.again();
    expect(again.tasks.of(agentOf().id)).toBeNull();
    const one = call(again, actOf());
    expect(await one.state()).toBe('pending');
    one.end('withdraw');
  });

  it('when another one of the same agent starts', async () => {
    const w = world();
    const first = await started(w);
    const second = await started(w, { ...SCOPE, apps: [GIMP], sites: [] });
    expect(w.approvals.tasks.of(agentOf().id)?.id).toBe(second.id);
    expect(second.id).not.toBe(first.id);
    expect(await runs(w)).toBe(false);
    expect(await runs(w, { app: GIMP })).toBe(true);
  });

  it('tells of each start, act and end', async () => {
    const w = world();
    let told = 0;
    w.approvals.tasks.onChange(() => (told += 1));
    const task = await started(w);
    await runs(w);
    w.approvals.tasks.end(task.id);
    expect(told).toBe(3);
    expect(w.approvals.tasks.end(task.id)).toBe(false);
  });
});
