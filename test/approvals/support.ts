import { CLICK } from '../support/titles.js';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  WaitEnded,
  type ApprovalRequest,
  type Caller,
  type Decision,
  type FullView,
} from '../../src/main/approvals/request.js';
import type { Plan } from '../../src/main/approvals/plan.js';
import {
  createApprovals,
  digestOf,
  presetPolicy,
  type PersonAnswer,
  type ChangeResult,
  type Approvals,
  type ApprovalsOptions,
  type CardEvent,
} from '../../src/main/approvals/index.js';
import type { Agent, Card, Effect } from '../../src/main/protocol/index.js';

export const START = Date.parse('2026-11-21T10:00:00Z');

export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'chaperone-approvals-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export interface World {
  approvals: Approvals;
  dir: string;
  events: CardEvent[];
  failures: unknown[];
  time: { now: number };
  /** Whether an agent holds a key or button down; `releaseHeld` ends it. */
  hold: { down: boolean };
  /** Time goes on, and what is due ends. */
  pass(ms: number): void;
  /** Opens another one on the same folder, as a restarted host does. */
  again(options?: Partial<ApprovalsOptions>): Approvals;
}

export function world(options: Partial<ApprovalsOptions> = {}): World {
  const dir = tempDir();
  const time = { now: START };
  const hold = { down: false };
  const events: CardEvent[] = [];
  const failures: unknown[] = [];
  const open = (more: Partial<ApprovalsOptions>) => {
    const approvals = createApprovals({
      policy: presetPolicy('standard'),
      stateDir: dir,
      now: () => time.now,
      running: () => 0,
      popover: false,
      releaseHeld() {
        const was = hold.down;
        hold.down = false;
        return was;
      },
      log: (_message, thrown) => failures.push(thrown),
      ...options,
      ...more,
    });
    approvals.onCard((event) => events.push(event));
    onTestFinished(() => approvals.close());
    return approvals;
  };
  const approvals = open({});
  return {
    approvals,
    dir,
    events,
    failures,
    time,
    hold,
    pass(ms) {
      time.now += ms;
      approvals.sweep();
    },
    again: (more = {}) => open(more),
  };
}

export function agentOf(over: Partial<Agent> = {}): Agent {
  const pid = over.pid ?? 100;
  return {
    id: `agent-${pid}`,
    name: 'Claude Code',
    tile: 'CC',
    claim: null,
    executable: '/usr/bin/claude',
    script: null,
    pid,
    startTime: '7',
    cwd: '/home/me/code',
    ...over,
  };
}

export function callerOf(agent: Agent = agentOf(), pid = 200): Caller {
  return {
    agent,
    peer: {
      pid,
      startTime: '9',
      uid: 1000,
      executable: '/usr/bin/node',
      script: null,
      cwd: null,
      parentPid: agent.pid,
    },
    connectionId: randomUUID(),
    protocol: 'jsonrpc',
  };
}

interface Wanted {
  agent?: Agent;
  effect?: Effect;
  tool?: string;
  args?: unknown;
  app?: { id: string; name: string; program?: string; otherIds?: string[] } | null;
  url?: string | null;
  title?: string;
  alwaysAsk?: boolean;
  screen?: boolean;
  target?: Plan['target'];
  cells?: number[];
  windowId?: string;
  fullView?: FullView;
}

export function planOf({
  app = MAIL,
  url = null,
  title = 'Inbox',
  screen = false,
  target,
  cells,
  windowId = 'w1',
}: Wanted = {}): Plan {
  const frame = { x: 0, y: 0, width: 100, height: 50 };
  return {
    subject: { title: CLICK, target: 'Send', app: app?.name ?? null, place: title },
    target: target ?? (screen ? { kind: 'screen', rect: frame } : { kind: 'window' }),
    window:
      app === null
        ? null
        : {
            id: windowId,
            title,
            app: { ...app, pid: 300, startTime: '5', frontmost: true },
            frame,
            focused: true,
            minimized: false,
            visible: true,
            normal: true,
            documentUrl: url,
          },
    ancestors: [],
    text: null,
    notes: [],
    look: null,
    needsFocus: false,
    alwaysAsk: false,
    pixels: cells === undefined ? null : { columns: 1, rows: cells.length / 3, cells },
  };
}

export const MAIL = { id: 'com.apple.mail', name: 'Mail' };
export const FIREFOX = { id: 'org.mozilla.firefox', name: 'Firefox' };

export function requestOf(wanted: Wanted = {}): ApprovalRequest {
  const { agent = agentOf(), effect = 'input', tool = 'click', args = { x: 1 }, alwaysAsk = false } = wanted;
  const plan = planOf(wanted);
  return {
    executionId: randomUUID(),
    callKey: digestOf([agent.id, tool, args]),
    caller: callerOf(agent),
    action: { name: tool, title: tool, effect },
    arguments: args,
    subject: plan.subject,
    plan,
    picture: null,
    fullView: wanted.fullView ?? null,
    workspace: '/home/me/code',
    alwaysAsk,
  };
}

interface Call {
  request: ApprovalRequest;
  decision: Promise<Decision>;
  /** Settles with what happened so far, without waiting for a person. */
  state(): Promise<'pending' | 'ended' | Decision>;
  waiting: { approvalId: string; expiresAt: string }[];
  end(mode: 'detach' | 'withdraw'): void;
}

export function call(approvals: Approvals, wanted: Wanted | ApprovalRequest = {}): Call {
  const request = 'callKey' in wanted ? wanted : requestOf(wanted);
  const controller = new AbortController();
  const waiting: Call['waiting'] = [];
  const decision = approvals.decide(request, (card) => waiting.push(card), controller.signal);
  let state: 'pending' | 'ended' | Decision = 'pending';
  decision.then(
    (value) => (state = value),
    () => (state = 'ended'),
  );
  return {
    request,
    decision,
    waiting,
    async state() {
      await turnAround();
      return state;
    },
    end: (mode) => controller.abort(new WaitEnded(mode)),
  };
}

/** All that can happen without a person or the clock has happened. */
export async function turnAround(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}

export function onlyCard(approvals: Approvals): Card {
  const [card, ...more] = approvals.cards();
  if (card === undefined || more.length > 0)
    throw new Error(`expected one card, found ${more.length + (card ? 1 : 0)}`);
  return card;
}

/** A person presses a button after having looked. */
export function press(
  world: World,
  decision: PersonAnswer['decision'],
  over: Partial<PersonAnswer> = {},
  approvals = world.approvals,
): ChangeResult {
  world.time.now += 600;
  const card = over.id === undefined ? onlyCard(approvals) : undefined;
  const answer = {
    id: card?.id ?? '',
    digest: card?.digest ?? '',
    decision,
    by: 'key-1',
    where: 'page' as const,
    connection: 'page-1',
    ...over,
  };
  if (decision === 'allow') approvals.pressBegan(answer);
  return approvals.answer(answer);
}
