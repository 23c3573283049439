/** One agent that speaks MCP: its tools, and its calls, which take the same path as those of every other door. Called by the doors for stdio and HTTP. */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { withTimeout } from '../../../base/poll.js';
import { message } from '../../../messages/index.js';
import type { Caller } from '../../approvals/request.js';
import type { Calls } from '../../calls/index.js';
import type { CallOptions, CallToolResult } from '../../calls/types.js';
import { type McpBackend, type McpClientInfo, type Wait, publish } from '../../mcp/backend.js';
import {
  INSTRUCTIONS,
  RESUME_TOOL,
  failureResult,
  isPending,
  isUnknownTool,
  isWaiting,
  pendingResult,
  resumedCall,
  type CallState,
  type HostToolResult,
} from '../../mcp/results.js';
import { callLimitMs } from '../../mcp/limits.js';
import { RESOURCE_SCHEME } from '../../mcp/resources.js';
import { WireError } from '../../protocol/index.js';
import type { Profile } from '../../protocol/pipe.js';
import { createConnectionCalls } from '../connection-calls.js';
import { withProgress } from '../gabp/tool-caller.js';

export interface McpAgentOptions {
  calls: Calls;
  /** Who asks, now. */
  caller(): Caller;
  profile: Profile;
  /** Where the person answers. */
  url: string;
  /** Milliseconds until a call that waits is answered with a handle; absent: by the client's name. */
  callLimitMs?: number | undefined;
  /** What the client calls itself, before its request is worked on. */
  onClient?(client: McpClientInfo | null): void;
  /** The call that a request makes; default: a new one. `repeated`: an earlier connection may have made it. */
  callOf?(requestId: string | number): { callId: string; repeated: boolean };
  /** What a handle stands for, where this host does not know it: an earlier one gave it. */
  madeBefore?(callId: string): { name: string; arguments: unknown } | null;
  /** Called once a call that was answered with a handle has its result. */
  onEnded?(callId: string): void;
  /** Called with what a waiting call waits for. */
  onWaiting?(state: CallState): void;
  times?: Partial<typeof AGENT_TIMES> | undefined;
}

/** Tests shorten them. */
const AGENT_TIMES = {
  /** After a call was let go; a result that comes in that time is the answer. */
  detachTimeoutMs: 3_000,
  /** The opening waits for the screens; below the start-up limits of known clients (10 s). */
  screensTimeoutMs: 5_000,
};

const MAX_CALLS = 64;
/** A call that is parked again and again without anybody having left it. */
const MAX_ATTEMPTS = 4;
/** A client's word that it gave up a call, and the answer, may pass each other. */
const MAX_ANSWERED = 64;

interface Made {
  callId: string;
  /** Null where only its id is known. */
  request: { name: string; arguments: unknown } | null;
  resumes: boolean;
}

export type McpAgent = ReturnType<typeof createMcpAgent>;

export function createMcpAgent(options: McpAgentOptions) {
  const { calls, caller, url, onClient = () => undefined } = options;
  const times = { ...AGENT_TIMES, ...options.times };
  const waits = createConnectionCalls(MAX_CALLS);
  const answers = new WeakMap<object, string[]>();
  const named = new LRUCache<string | number, string>({ max: MAX_ANSWERED });
  let running = 0;

  /** Resumed where it is parked though nobody has left it, and made where this host does not know it: an earlier one was asked. */
  async function perform({ callId, request, resumes }: Made, waiting: CallOptions): Promise<CallToolResult> {
    for (let [resume, round] = [resumes, 1]; ; round += 1) {
      try {
        return resume || request === null
          ? await calls.resume(caller(), callId, waiting)
          : await calls.callTool(caller(), { callId, ...request }, waiting);
      } catch (error) {
        const parked = isWaiting(error);
        const again = parked || (resume && isUnknownCall(error) && request !== null);
        if (!again || round >= MAX_ATTEMPTS || waiting.signal.aborted) throw error;
        resume = parked;
      }
    }
  }

  async function settle(made: Made, limitMs: number, wait: Wait): Promise<HostToolResult> {
    const { callId, request } = made;
    let state: CallState = { state: 'queued', message: 'sent to the host' };
    const onProgress = (next: CallState): void => {
      wait.onProgress((state = next));
      options.onWaiting?.(next);
    };
    const id = randomUUID();
    const run = (signal: AbortSignal) =>
      withProgress(onProgress, (report) => perform(made, { signal, onProgress: report }));
    const outcome = waits.run({ id }, run);
    const handle = () => pendingResult(callId, request?.name ?? 'The call', state, url);
    try {
      const first = await withTimeout(outcome, limitMs, wait.signal);
      if (first !== null) return { ...first };
      waits.detach(id);
      const late = await withTimeout(
        outcome.catch(() => null),
        times.detachTimeoutMs,
      );
      return late === null ? handle() : { ...late };
    } catch (error) {
      if (isUnknownTool(error)) throw error;
      return isWaiting(error) ? handle() : failureResult(error);
    }
  }

  function madeBy(name: string, args: unknown, requestId: string | number): Made | null {
    if (name !== RESUME_TOOL) {
      const { callId, repeated } = options.callOf?.(requestId) ?? { callId: randomUUID(), repeated: false };
      return { callId, request: { name, arguments: args }, resumes: repeated };
    }
    const callId = resumedCall(args);
    return callId === null ? null : { callId, request: options.madeBefore?.(callId) ?? null, resumes: true };
  }

  async function call(...[name, args, client, wait]: Parameters<McpBackend['call']>): Promise<HostToolResult> {
    onClient(client);
    const made = madeBy(name, args, wait.id);
    if (made === null) return failureResult(resumeArgumentsError());
    const { callId } = made;
    if (wait.http !== undefined) answers.set(wait.http, [...(answers.get(wait.http) ?? []), callId]);
    named.set(wait.id, callId);
    running += 1;
    try {
      const result = await settle(made, options.callLimitMs ?? callLimitMs(client), wait);
      if (!isPending(result)) options.onEnded?.(callId);
      return result;
    } finally {
      running -= 1;
      if (wait.http?.signal.aborted === true) calls.notReceived(caller(), callId);
    }
  }

  const backend: McpBackend = {
    instructions: INSTRUCTIONS,
    ...contentFor(calls, caller),
    async tools(client) {
      onClient(client);
      return publish(calls.tools(options.profile));
    },
    screens: () =>
      withTimeout(
        calls.screens(caller()).catch(() => null),
        times.screensTimeoutMs,
      ),
    call,
  };

  return {
    backend,
    /** Calls that run now, also those whose client has left. */
    running: () => running,
    /** What answers this HTTP request was sent; `whole`: all of it. */
    sent(request: object, whole: boolean): void {
      for (const callId of answers.get(request) ?? [])
        if (whole) calls.resultWritten(caller(), callId);
        else calls.notReceived(caller(), callId);
    },
    /** The answer to the request of this id was written. */
    written(id: string | number): void {
      const callId = named.get(id);
      if (callId !== undefined) calls.resultWritten(caller(), callId);
    },
    /** The client no longer reads the answer to the request of this id, even if it was sent already. */
    left(id: string | number): void {
      const callId = named.get(id);
      if (callId !== undefined) calls.notReceived(caller(), callId);
    },
    /** Ends the waits; cards stay. */
    leave: (): void => waits.detachAll(),
  };
}

const isUnknownCall = (error: unknown): boolean =>
  error instanceof WireError && error.details['reason'] === 'unknown_call';

function resumeArgumentsError(): WireError {
  return new WireError('DESKTOP_INVALID_REQUEST', message('error.takes_call_id', { tool: RESUME_TOOL }));
}

/** What there is besides tools. */
const contentFor = (
  calls: Calls,
  caller: () => Caller,
): Omit<McpBackend, 'tools' | 'call' | 'screens' | 'instructions'> => ({
  scheme: RESOURCE_SCHEME,
  resources: async () => ({ resources: calls.resources(caller()), templates: calls.resourceTemplates() }),
  resource: async (path) => calls.resource(caller(), path),
  prompts: async () => calls.prompts(),
  prompt: async (name, values) => calls.prompt(name, values),
  answer: async (callId, text) => calls.answer(caller(), callId, text),
  complete: (argument, given) => calls.complete(caller(), argument, given),
});
