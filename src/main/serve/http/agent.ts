/** One agent that came by HTTP: who it is, and its calls, which take the same path as those of every other door. Called by sessions. */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { withTimeout } from '../../../base/poll.js';
import { message } from '../../../messages/index.js';
import type { ProcessIdentity } from '../../../native/peer/types.js';
import type { MakeCaller } from '../../agents/caller.js';
import type { Caller } from '../../approvals/request.js';
import type { WatchCaller } from '../../agents/same-program.js';
import { mcpDescriptor } from '../../calls/descriptors.js';
import type { CallOptions, CallToolResult } from '../../calls/types.js';
import type { McpBackend, Wait } from '../../mcp/backend.js';
import { publish } from '../../mcp/descriptors.js';
import { INSTRUCTIONS } from '../../mcp/instructions.js';
import { RESOURCE_SCHEME } from '../../mcp/resources.js';
import { callLimitMs } from '../../mcp/limits.js';
import {
  RESUME_TOOL,
  resumedCall,
  failureResult,
  isUnknownTool,
  isWaiting,
  pendingResult,
  type CallState,
  type HostToolResult,
} from '../../mcp/results.js';
import { WireError } from '../../protocol/index.js';
import { createConnectionCalls } from '../connection-calls.js';
import { withProgress } from '../gabp/call-progress.js';
import { callerNow } from '../earliness.js';
import type { AgentServices } from '../services.js';

export interface HttpAgentOptions extends Pick<AgentServices, 'calls' | 'agents'> {
  makeCaller: MakeCaller;
  watchCaller: WatchCaller;
  /** Where the person answers. */
  url: string;
  /** Milliseconds until a call that waits is answered with a handle; absent: by the client's name. */
  callLimitMs?: number;
}

/** How many of the tools a client is told of. */
export type Profile = 'full' | 'core';

export interface HttpAgent {
  id: string;
  peer: ProcessIdentity;
  backend: McpBackend;
  /** False once the process has ended or runs another program. */
  isSame(): boolean;
  /** Calls that run now, also those whose client has left. */
  running(): number;
  /** What answers this request was sent; `whole`: all of it. */
  sent(request: Request, whole: boolean): void;
  /** The client no longer reads the answer to the request of this id, even if it was sent already. */
  left(id: string | number): void;
  /** Ends the waits; cards stay. */
  leave(): void;
}

const MAX_CALLS = 64;
/** A client's word that it gave up a call, and the answer, may pass each other. */
const MAX_ANSWERED = 64;
const DETACH_TIMEOUT_MS = 3_000;
const SCREENS_TIMEOUT_MS = 5_000;

type Start = (options: CallOptions) => Promise<CallToolResult>;

export function createHttpAgent(
  options: HttpAgentOptions,
  peer: ProcessIdentity,
  { claim, profile }: { claim: string | null; profile: Profile },
): HttpAgent {
  const { calls, agents, makeCaller, watchCaller, url } = options;
  const caller = makeCaller(peer, { claim, viaShim: false, protocol: 'mcp', connectionId: randomUUID() });
  const watch = watchCaller(caller);
  const waits = createConnectionCalls(MAX_CALLS);
  const answers = new WeakMap<Request, string[]>();
  const named = new LRUCache<string | number, string>({ max: MAX_ANSWERED });
  let running = 0;
  agents.connected(caller);

  async function settle(callId: string, tool: string, limitMs: number, wait: Wait, start: Start) {
    let state: CallState = { state: 'queued', message: 'sent to the host' };
    const onProgress = (next: CallState): void => wait.onProgress((state = next));
    const outcome = waits.run({ id: randomUUID(), label: callId }, (signal) =>
      withProgress(onProgress, (report) => start({ signal, onProgress: report })),
    );
    const handle = () => pendingResult(callId, tool, state, url);
    try {
      const first = await withTimeout(outcome, limitMs, wait.signal);
      if (first !== null) return { ...first };
      waits.abandon(callId, 'detach');
      const late = await withTimeout(
        outcome.catch(() => null),
        DETACH_TIMEOUT_MS,
      );
      return late === null ? handle() : { ...late };
    } catch (error) {
      if (isUnknownTool(error)) throw error;
      return isWaiting(error) ? handle() : failureResult(error);
    }
  }

  async function call(...[name, args, client, wait]: Parameters<McpBackend['call']>): Promise<HostToolResult> {
    const limitMs = options.callLimitMs ?? callLimitMs(client);
    const resumes = name === RESUME_TOOL;
    const callId = resumes ? resumedCall(args) : randomUUID();
    if (callId === null) return failureResult(resumeArgumentsError());
    if (wait.http !== undefined) note(wait.http, callId);
    running += 1;
    try {
      if (resumes)
        return await settle(callId, 'The call', limitMs, wait, (waiting) =>
          calls.resume(callerNow(caller), callId, waiting),
        );
      const made = { callId, name, arguments: args };
      return await settle(callId, name, limitMs, wait, (waiting) => calls.callTool(callerNow(caller), made, waiting));
    } finally {
      running -= 1;
      if (wait.http?.request.signal.aborted === true) calls.notReceived(caller, callId);
    }
  }

  function note({ request, id }: NonNullable<Wait['http']>, callId: string): void {
    answers.set(request, [...(answers.get(request) ?? []), callId]);
    named.set(id, callId);
  }

  return {
    id: caller.agent.id,
    peer,
    backend: {
      instructions: INSTRUCTIONS,
      ...contentFor(calls, caller),
      tools: async () => publish({ tools: calls.tools(profile).map(mcpDescriptor) }),
      screens: () =>
        withTimeout(
          calls.screens(caller).catch(() => null),
          SCREENS_TIMEOUT_MS,
        ),
      call,
    },
    isSame: watch.isSame,
    running: () => running,
    sent(request, whole) {
      for (const callId of answers.get(request) ?? [])
        if (whole) calls.resultWritten(caller, callId);
        else calls.notReceived(caller, callId);
    },
    left(id) {
      const callId = named.get(id);
      if (callId !== undefined) calls.notReceived(caller, callId);
    },
    leave() {
      waits.detachAll();
      watch.close();
      agents.disconnected(caller);
    },
  };
}

function resumeArgumentsError(): WireError {
  return new WireError('DESKTOP_INVALID_REQUEST', message('error.takes_call_id', { tool: RESUME_TOOL }));
}

/** What there is besides tools. */
const contentFor = (
  calls: HttpAgentOptions['calls'],
  caller: Caller,
): Omit<McpBackend, 'tools' | 'call' | 'screens' | 'instructions'> => ({
  scheme: RESOURCE_SCHEME,
  resources: async () => ({ resources: calls.resources(callerNow(caller)), templates: calls.resourceTemplates() }),
  resource: async (path) => calls.resource(callerNow(caller), path),
  prompts: async () => calls.prompts(),
  prompt: async (name, values) => calls.prompt(name, values),
  answer: async (callId, text) => calls.answer(callerNow(caller), callId, text),
  complete: (argument, given) => calls.complete(callerNow(caller), argument, given),
});
