/** A person who is asked for a task, and what then runs without a request. */
import { expect } from 'vitest';
import type { ApprovalRequest, Decision } from '../../src/main/approvals/request.js';
import type { App } from '../../src/native/desktop.js';
import type { RunningTask, TaskEdit, TaskScope } from '../../src/main/protocol/index.js';
import { agentOf, call, callerOf, onlyCard, planOf, press, requestOf, type World } from './support.js';

export const MOUSEPAD = { id: 'org.xfce.mousepad', name: 'Mousepad', program: '/usr/bin/mousepad' };
export const CHROMIUM = { id: 'chromium', name: 'Chromium', program: '/usr/lib/chromium/chromium' };
export const GIMP = { id: 'gimp', name: 'GIMP', program: '/usr/bin/gimp' };
export const XTERM = { id: 'xterm', name: 'XTerm', program: '/usr/bin/xterm' };
export const SITE = 'http://localhost:18099';
export const PAGE = `${SITE}/order?item=1`;

export const SCOPE: TaskScope = { apps: [MOUSEPAD, CHROMIUM], sites: [SITE], effects: ['see', 'click', 'type'], minutes: 30, acts: 5 }; // prettier-ignore
export const EDIT: TaskEdit = { ...SCOPE, apps: SCOPE.apps.map(({ id }) => id) };
export const PURPOSE = 'Fill in the order form';

export const running = (apps: readonly { id: string; name: string; program: string }[]): App[] =>
  apps.map((app, index) => ({ ...app, pid: 500 + index, startTime: '1', frontmost: false }));

export function taskRequest(asked: TaskScope = SCOPE, agent = agentOf()): ApprovalRequest {
  const request = requestOf({ agent, tool: 'request_task', args: { asked }, app: null, alwaysAsk: true });
  const plan = { ...planOf({ app: null }), target: { kind: 'none' as const }, task: { purpose: PURPOSE, asked, replaces: null } }; // prettier-ignore
  return { ...request, plan };
}

export async function allowed(w: World, asked: TaskScope = SCOPE, agent = agentOf()): Promise<Decision> {
  const { decision } = call(w.approvals, taskRequest(asked, agent));
  expect(press(w, 'allow')).toEqual({ ok: true });
  return decision;
}

export async function started(w: World, asked: TaskScope = SCOPE, agent = agentOf()): Promise<RunningTask> {
  const task = w.approvals.tasks.start(callerOf(agent), PURPOSE, await allowed(w, asked, agent));
  if (task === null) throw new Error('no task was started');
  return task;
}

export type Wanted = Parameters<typeof requestOf>[0] & { plan?: Partial<NonNullable<ApprovalRequest['plan']>> };

export function actOf({ plan = {}, ...wanted }: Wanted = {}): ApprovalRequest {
  const request = requestOf({ app: MOUSEPAD, ...wanted });
  return { ...request, plan: request.plan && { ...request.plan, ...plan } };
}

/** Whether it runs without a request; one that comes is withdrawn. */
export async function runs(w: World, wanted: Wanted = {}): Promise<boolean> {
  const one = call(w.approvals, actOf(wanted));
  const state = await one.state();
  if (state === 'pending') one.end('withdraw');
  return typeof state === 'object' && state.kind === 'allowed';
}

export const KEYS = { does: { kind: 'keys' as const, keys: ['a'], modifiers: [] } };
export const TEXT = { does: { kind: 'text' as const, text: 'a' }, text: 'a' };
export const edited = (w: World, over: Partial<TaskEdit> = {}, digest = onlyCard(w.approvals).digest) =>
  w.approvals.tasks.edit({ ...EDIT, ...over, id: onlyCard(w.approvals).id, digest }, running([MOUSEPAD, GIMP, XTERM]));
