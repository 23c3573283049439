import { WireError } from '../../src/main/protocol/index.js';
import { createHash, randomUUID } from 'node:crypto';
import { AgentEdits } from '../../src/main/pipeline/consequence/agent-edits.js';
import { createExecutions } from '../../src/main/pipeline/executions.js';
import { createHolds } from '../../src/main/pipeline/holds.js';
import { createLocks } from '../../src/main/pipeline/locks.js';
import type { ApprovalRequest, Caller, Decision, Sight } from '../../src/main/approvals/request.js';
import type { EvidenceFolder, ExecutionEnd, ExecutionStart } from '../../src/main/evidence/execution.js';
import { createOwnFiles } from '../../src/main/pipeline/own-files.js';
import { type PipelineDependencies, type RunCall, createCallEvents } from '../../src/main/pipeline/dependencies.js';
import { progressOf } from '../../src/main/calls/tool-calls.js';
import type { Progress } from '../../src/main/calls/types.js';
import { NewWindows } from '../../src/main/pipeline/compare.js';
import { NO_OWN_CHANGES } from '../../src/main/pipeline/verify/own-changes.js';
import { createRunner } from '../../src/main/pipeline/run.js';
import { createImaging } from '../../src/main/evidence/index.js';
import { testSupervisor } from './supervisor.js';
import { openSimulated, type SimulatedDesktop } from '../../src/native/simulated/index.js';
import type { TaskControl } from '../../src/main/approvals/task-control.js';
import { createMacros, createSessions } from '../../src/main/sessions/index.js';
import { createToolDeps, type ObservationDependencies } from '../../src/main/host/seat.js';
import { controlActions } from '../../src/main/bridge/control.js';
import { findActions } from '../../src/main/bridge/index.js';
import { allTools } from '../../src/main/tools/index.js';
import { verbatim } from '../../src/messages/index.js';

export const CALLER: Caller = {
  agent: {
    id: 'agent-1',
    name: 'Agent',
    tile: 'Ag',
    claim: null,
    executable: '/bin/agent',
    script: null,
    pid: 10,
    startTime: '1',
    cwd: '/work',
  },
  peer: { pid: 11, startTime: '2', uid: 0, executable: '/bin/shim', script: null, cwd: '/work', parentPid: 10 },
  connectionId: 'c1',
  protocol: 'mcp',
};

/** Watch dependencies that never restrict watching. */
/** For hosts without any. */
export const NO_TASKS: TaskControl = {
  excludes: () => false,
  problem: () => null,
  start: () => null,
  opened: () => undefined,
  of: () => null,
  finish: () => false,
  end: () => false,
  offered: () => [],
  edit: () => ({ ok: true }),
  onChange: () => () => undefined,
};

const UNWATCHED: ObservationDependencies = {
  ageOf: () => null,
  allWindows: async () => new Map(),
  isRunning: () => false,
  excluded: () => false,
  suspendedReason: () => null,
  isConnected: () => true,
  log: () => undefined,
};

export const ALLOWED: Decision = {
  kind: 'allowed',
  by: 'person',
  approvalId: 'a',
  grantId: null,
  where: 'page',
  at: '2026-01-01T00:00:00Z',
  waitedMs: 1,
};

export const DENIED: Decision = {
  kind: 'denied',
  reason: 'denied',
  by: 'person',
  approvalId: 'a',
  message: verbatim('not that one'),
  at: '2026-01-01T00:00:00Z',
  waitedMs: 1,
};

interface Recorded {
  start: ExecutionStart;
  files: string[];
  lost: string[];
  traces: Record<string, unknown>[];
  started: boolean;
  end: ExecutionEnd | null;
}

export type RunOptions = Partial<RunCall> & { onProgress?(state: Progress['state'], message: string): void };

/** The pipeline on a simulated desktop. `decide` answers for the person, who allows everything by default. */
export function createTestPipeline(
  decide: (request: ApprovalRequest, signal: AbortSignal) => Promise<Decision> = async () => ALLOWED,
  desktop: SimulatedDesktop = openSimulated(),
  holdMs?: number,
) {
  const records: Recorded[] = [];
  const asked: ApprovalRequest[] = [];
  const refused: string[] = [];
  let revoked = false;
  let sight: Sight = 'sees';
  let unrecorded: WireError | null = null;
  let policyChanged = () => undefined as void;

  const evidenceOf = (start: ExecutionStart): EvidenceFolder => {
    const record: Recorded = { start, files: [], lost: [], traces: [], started: false, end: null };
    records.push(record);
    return {
      dir: start.need === 'folder' ? `/work/artifacts/${start.executionId}` : null,
      async write(name) {
        record.files.push(name);
      },
      lost: (name) => void record.lost.push(name),
      trace: (entry) => void record.traces.push(entry),
      async started() {
        record.started = true;
      },
      async finish(end) {
        record.end = end;
        return { incomplete: unrecorded !== null, unrecorded, kept: [] };
      },
    };
  };

  const [executions, lane] = [createExecutions(), createLocks()];
  const holds = createHolds({ lane, desktop, executions, ...(holdMs === undefined ? {} : { maxHoldMs: holdMs }) });
  const sessions = createSessions({ now: Date.now, grantLabel: () => null });
  const macros = createMacros({ file: null, now: Date.now, log: () => undefined });
  const edits = new AgentEdits();
  desktop.onPersonInput(edits.notePersonAct);
  const events = createCallEvents((thrown) => {
    throw thrown;
  });
  events.on((event) => {
    if (event.kind === 'ended') sessions.ended(event.call);
  });
  const pipelineDeps: PipelineDependencies = {
    events,
    desktop,
    approver: {
      async decide(request, onWaiting, signal) {
        asked.push({ ...request, ...(await request.drawPicture?.()) });
        onWaiting({ approvalId: 'a', expiresAt: '2026-01-01T00:00:00Z' });
        return decide(request, signal);
      },
      withdraw: () => false,
      refused: () => null,
      sight: () => sight,
      look: () => null,
      acted: () => undefined,
      assertOpen: () => undefined,
      revoked: () => revoked,
    },
    recorder: {
      workspace: async (path) => ({ path, hidden: false }),
      begin: async (start) => evidenceOf(start),
      async refused({ error }) {
        refused.push(error.code);
      },
      interrupted: async () => null,
    },
    chat: {
      ask: () => Promise.reject(new Error('no chat here')),
      resultWritten: () => undefined,
      notReceived: () => undefined,
      confirmDelivery: () => undefined,
      collect: () => [],
      collectWritten: () => [],
    },
    imaging: createImaging(),
    protection: {
      isProtected: (window) => window?.title === 'Chaperone',
      hintFor: () => null,
      hidesDocument: () => false,
      isPairingLinkOpen: () => false,
    },
    excludedApps: () => new Set(),
    executions,
    turns: createLocks(),
    holds,
    ownFiles: createOwnFiles(['/own']),
    edits,
    assertClear: () => undefined,
    noteInjection: () => undefined,
    ownChanges: NO_OWN_CHANGES,
    newWindows: new NewWindows((pid) => ages.get(pid) ?? null),
    waitWhilePressing: async () => undefined,
    digest: (value) => createHash('sha256').update(JSON.stringify(value)).digest('hex'),
    now: () => new Date(),
  };
  const ages = new Map<number, number>();
  const toolDeps = createToolDeps(
    {
      desktop,
      real: desktop,
      scripting: null,
      startedCommands: { add: () => undefined },
      commandEnv: { plain: { PATH: '/usr/bin:/bin' }, desktop: { PATH: '/usr/bin:/bin', DISPLAY: ':7' } },
      supervisor: testSupervisor(),
      holds,
      sessions,
      macros,
      tasks: NO_TASKS,
      mayReadTitles: async () => sight === 'sees',
      watching: { ...UNWATCHED, ageOf: (pid) => ages.get(pid) ?? null },
      onPolicy(listener) {
        policyChanged = listener;
        return () => undefined;
      },
    },
    { add: () => undefined },
  );
  const { images, recognizer } = toolDeps;
  const references = toolDeps.references(CALLER.agent.id);
  const bridge = { references: toolDeps.references, ageOf: toolDeps.ageOf };
  const methods = [...findActions(bridge), ...controlActions(bridge)];
  const tools = new Map([...allTools(toolDeps).map(({ action }) => action), ...methods].map((one) => [one.name, one]));
  const runner = createRunner(pipelineDeps);

  const call = (input: unknown, more: Partial<RunCall> = {}): RunCall => ({
    callId: 'call',
    requestId: 'request',
    aliases: [],
    caller: CALLER,
    input,
    arguments: input,
    workspace: '/work',
    timeoutMs: null,
    gate: null,
    signal: new AbortController().signal,
    ...more,
  });

  return {
    desktop,
    world: desktop.world,
    deps: pipelineDeps,
    lane,
    events,
    records,
    asked,
    refused,
    references,
    observations: toolDeps.observations,
    images,
    recognizer,
    sessions,
    macros,
    /** An application is excluded from now on. */
    exclude(appId: string) {
      pipelineDeps.excludedApps = () => new Set([appId]);
      policyChanged();
    },
    /** Processes that started lately: pid to milliseconds. */
    ages,
    /** What the agent may see from now on. */
    sees(next: Sight) {
      sight = next;
    },
    revoke: () => {
      revoked = true;
    },
    /** The log can no longer be written. */
    loseLog: () => {
      unrecorded = new WireError('DESKTOP_HOST_NOT_READY', verbatim('no log'), { reason: 'evidence' });
    },
    /** `onProgress` is told what a waiting caller is, at the moment when it happens. */
    async run(name: string, input: unknown, { onProgress, ...more }: RunOptions = {}) {
      const action = tools.get(name);
      if (action === undefined) throw new Error(`no tool ${name}`);
      const made = call(input, { ...(onProgress === undefined ? {} : { callId: randomUUID() }), ...more });
      const stop = events.on((event) => {
        const progress = event.callId === made.callId ? progressOf(event) : null;
        if (progress !== null) onProgress?.(progress.state, progress.message);
      });
      return runner.run(action, made).finally(stop);
    },
    /** The reference of an element, as find_elements would give it to this agent. */
    async refer(identifier: string, agentId = CALLER.agent.id): Promise<string> {
      const id = desktop.world.find(identifier);
      if (id === null) throw new Error(`no element ${identifier}`);
      return toolDeps.references(agentId).refer(await desktop.element(id, new AbortController().signal)).elementId;
    },
  };
}

export const pressed = (entries: { event: string; control: string }[]) =>
  entries.filter((one) => one.event === 'pressed').map((one) => one.control);

export async function failure(work: Promise<unknown>): Promise<WireError> {
  const thrown: unknown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(thrown instanceof WireError)) throw new Error(`expected a WireError, got ${String(thrown)}`);
  return thrown;
}
