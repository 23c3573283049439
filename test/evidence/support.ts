import { CLICK, typing } from '../support/titles.js';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { Caller } from '../../src/main/approvals/request.js';
import type { ExecutionEnd, ExecutionStart } from '../../src/main/evidence/execution.js';
import type { Plan } from '../../src/main/approvals/plan.js';
import { createRecorder, type EvidenceRecorder, type RecorderOptions } from '../../src/main/evidence/index.js';
import type { Element } from '../../src/native/desktop.js';

export interface Place {
  base: string;
  root: string;
  workspace: string;
  stateDir: string;
  warnings: string[];
  /** A recorder in this place; closed after the test. */
  open(options?: Partial<RecorderOptions>): Promise<EvidenceRecorder>;
}

/** A root with one workspace, a state folder beside it, all deleted after each test. */
export function places(): () => Promise<Place> {
  let undo: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const step of undo.reverse()) await step();
    undo = [];
  });
  return async () => {
    const base = await realpath(await mkdtemp(join(tmpdir(), 'chaperone-evidence-')));
    undo.push(() => rm(base, { recursive: true, force: true }));
    const place = {
      base,
      root: join(base, 'root'),
      workspace: join(base, 'root', 'work'),
      stateDir: join(base, 'state'),
    };
    await mkdir(place.workspace, { recursive: true });
    const warnings: string[] = [];
    const open = async (options: Partial<RecorderOptions> = {}) => {
      const log = {
        warn: (details: object, message: string) => void warnings.push(`${message} ${JSON.stringify(details)}`),
      };
      const recorder = await createRecorder({
        stateDir: place.stateDir,
        workspaceRoot: place.root,
        now: () => new Date(),
        log,
        checkRest: 0,
        ...options,
      });
      undo.push(() => recorder.close());
      return recorder;
    };
    return { ...place, warnings, open };
  };
}

export const caller: Caller = {
  agent: { id: 'a1', name: 'Claude Code', tile: 'CC', claim: 'claude-code 2.1', executable: '/usr/bin/node', script: '/opt/cli.js', pid: 42, startTime: '99', cwd: '/home/p' },
  peer: { pid: 43, startTime: '100', uid: 1000, executable: '/usr/bin/node', script: null, cwd: '/', parentPid: 42 },
  connectionId: 'c1',
  protocol: 'mcp',
}; // prettier-ignore

export function startOf(workspace: string, more: Partial<ExecutionStart> = {}): ExecutionStart {
  return {
    executionId: randomUUID(),
    requestId: randomUUID(),
    callId: randomUUID(),
    caller,
    tool: 'click_element',
    effect: 'input',
    subject: { title: CLICK, target: 'Send', app: 'Mail', place: 'Inbox' },
    workspace,
    requestDigest: 'd'.repeat(64),
    need: 'folder',
    at: '2026-11-21T23:59:59.500Z',
    isSeen: () => true,
    ...more,
  };
}

export function endOf(more: Partial<ExecutionEnd> = {}): ExecutionEnd {
  return {
    outcome: 'confirmed',
    verified: 'confirmed',
    before: { value: 'a' },
    after: { value: 'b' },
    decision: { kind: 'allowed', by: 'person', approvalId: randomUUID(), grantId: null, where: 'popover', at: '2026-11-21T23:59:58.000Z', waitedMs: 1500 },
    plan: null,
    result: { clicked: true },
    error: null,
    at: '2026-11-22T00:00:01.000Z',
    ...more,
  }; // prettier-ignore
}

export function elementOf(more: Partial<Element> = {}, secure = false): Element {
  const states = { enabled: true, visible: true, focused: false, editable: true, secure, checked: null, selected: null, expanded: null };
  return { id: 'e1', pid: 7, role: 'AXTextField', nativeRole: 'text', title: 'Name', description: 'd', value: 'v', frame: null, states, actions: [], path: [0], identifier: '', ...more };
} // prettier-ignore

export function planOf(more: Partial<Plan> = {}): Plan {
  const subject = { title: typing(6), target: 'Name', app: 'Mail', place: null };
  return {
    subject,
    target: { kind: 'none' },
    window: null,
    ancestors: [],
    text: 'secret',
    notes: [],
    look: null,
    needsFocus: true,
    alwaysAsk: false,
    pixels: { columns: 1, rows: 1, cells: [1, 2, 3] },
    ...more,
  };
}

/** One whole execution with two files. */
export async function runOne(
  recorder: EvidenceRecorder,
  workspace: string,
  more: Partial<ExecutionStart> = {},
): Promise<{ dir: string; start: ExecutionStart }> {
  const start = startOf(workspace, more);
  const evidence = await recorder.begin(start);
  await evidence.write('ax.json', '{"nodes":[]}');
  await evidence.started();
  evidence.trace({ step: 'clicked' });
  await evidence.finish(endOf());
  if (evidence.dir === null) throw new Error('expected a folder');
  return { dir: evidence.dir, start };
}
