import { WaitEnded, type Caller } from '../approvals/request.js';
import type { AgentChat } from '../chat/index.js';
import type { Recorder } from '../evidence/recorder.js';
import type { CallEvents, CallEvent, RunCall } from '../pipeline/dependencies.js';
import { isControlEffect, WireError } from '../protocol/index.js';
import { closestName } from '../protocol/input-errors.js';
import { RUNNING } from '../protocol/local-command.js';
import { asWireError } from '../pipeline/failures.js';
import { readArguments } from '../pipeline/lenient-arguments.js';
import type { Images } from '../tools/images.js';
import { isListed, type Tool } from '../tools/tool.js';
import { seatFor, type Seats } from './seats.js';
import { toolFailure, toolResult, withWritten } from './results.js';
import type { CallOptions, ToolCall, CallToolResult, MeasuredResult, Progress } from './types.js';
import { message } from '../../messages/index.js';
import { createEmitter, type Emitter } from '../../base/emitter.js';

export interface ToolCallsOptions {
  tools: readonly Tool[];
  /** Those of connected applications, as they are now. */
  appTools(): readonly Tool[];
  seats: Seats;
  events: Pick<CallEvents, 'on'>;
  recorder: Pick<Recorder, 'interrupted' | 'refused'>;
  images: Images;
  chat: Pick<AgentChat, 'collectWritten'>;
  workspaceFor(caller: Caller): Promise<string>;
  /** How a person starts the command line on this machine. */
  command?: string | undefined;
  log(thrown: unknown): void;
}

/** MCP tool calls. They continue without their caller: a late answer is kept, and a parked question continues on resume or repetition. */
export function createToolCalls(options: ToolCallsOptions) {
  const { seats, recorder, images } = options;
  const table = new Map(options.tools.map((tool) => [tool.action.name, tool]));
  for (const tool of options.tools) table.set(`${tool.group}/${tool.action.name}`, tool);
  const nameOf = ({ action }: Tool): string => action.name;
  const names = options.tools.filter(isListed).map(nameOf);
  const kept = createKeptCalls(options.events, options.log);

  const find = (name: string): Tool | undefined => table.get(name) ?? findAppTool(name);
  const findAppTool = (name: string): Tool | undefined =>
    options.appTools().find((tool) => tool.action.name === name || `${tool.group}/${tool.action.name}` === name);

  async function callTool(caller: Caller, call: ToolCall, waiting: CallOptions): Promise<CallToolResult> {
    const found = find(call.name);
    if (found === undefined)
      throw unknownTool(call.name, [...names, ...options.appTools().filter(isListed).map(nameOf)]);
    const read = { ...call, arguments: readArguments(found.action.input, call.arguments) };
    return kept.join(caller.agent.id, read, waiting, async (signal) => {
      const outcome = await attempt(found, caller, read, signal);
      if ('parked' in outcome) return outcome;
      return withWritten(outcome, options.chat.collectWritten(caller.agent.id, read.callId, signal));
    });
  }

  async function attempt(tool: Tool, caller: Caller, call: ToolCall, signal: AbortSignal): Promise<AttemptOutcome> {
    const { callId } = call;
    const { name, effect, offDesktop } = tool.action;
    try {
      const { attention } = seats.of(caller) ?? seats.away;
      await recordRefusal(recorder, { caller, tool: name, requestId: callId }, async () => {
        await assertKnownOutcome(recorder, callId);
        if (isControlEffect(effect) || effect === 'disclose') attention.assertClear(offDesktop);
      });
      const made: RunCall = {
        callId,
        requestId: callId,
        aliases: [callId],
        caller,
        input: call.arguments,
        arguments: call.arguments ?? {},
        workspace: await options.workspaceFor(caller),
        timeoutMs: null,
        gate: null,
        signal,
      };
      const seat = await seatFor(seats, tool, made);
      const result = await seat.runner.run((seat.tool(name) ?? tool).action, made);
      return toolResult(result, images, { agentId: caller.agent.id, own: seat.own === true });
    } catch (thrown) {
      const error = asWireError(thrown);
      if (error.details['kind'] === 'bug') options.log(thrown);
      return error.details['reason'] === 'awaiting_human'
        ? { parked: error }
        : { result: toolFailure(error, options.command), valueSize: 0 };
    }
  }

  return {
    callTool,
    find,
    async resume(caller: Caller, callId: string, waiting: CallOptions): Promise<CallToolResult> {
      const call = kept.find(caller.agent.id, callId);
      if (call === null)
        throw new WireError('DESKTOP_INVALID_REQUEST', message('error.no_such_call', { id: callId.slice(0, 100) }), {
          reason: 'unknown_call',
          next: 'Make the call anew.',
        });
      return callTool(caller, call, waiting);
    },
  };
}

function unknownTool(given: string, names: string[]): WireError {
  const near = closestName(given, names);
  const unknown = message('error.no_such_tool', { name: JSON.stringify(given.slice(0, 100)) });
  return new WireError(
    'DESKTOP_INVALID_REQUEST',
    near === null ? unknown : message('error.did_you_mean', { problem: unknown, name: near }),
    { reason: 'unknown_tool', tools: names, next: `Use one of: ${names.join(', ')}.` },
  );
}

interface KeptCall {
  call: ToolCall;
  /** Name and arguments as text, to notice another call under the same id. */
  content: string;
  /** Characters held: the arguments, then the result as well. */
  size: number;
  state: 'running' | 'parked' | 'done';
  outcome: Promise<AttemptOutcome>;
  control: AbortController;
  /** One listener for each waiting caller. */
  progress: Emitter<Progress>;
}

/** `parked`: the last caller stopped waiting while the person was being asked; the call can be resumed. */
export type AttemptOutcome = MeasuredResult | { parked: WireError };

type Attempt = (wait: AbortSignal) => Promise<AttemptOutcome>;

const MAX_KEPT_CALLS = 500;
const MAX_KEPT_CHARACTERS = 16 * 1024 * 1024;

/** Calls by agent and callId. Several callers may wait for one call, results are kept, and a parked call can be resumed. */
export function createKeptCalls(events: Pick<CallEvents, 'on'>, log: (thrown: unknown) => void) {
  const calls = new Map<string, KeptCall>();
  let total = 0;
  const keyOf = (agentId: string, callId: string) => `${agentId}\n${callId}`;

  // Never removed: it lives as long as the pipeline.
  events.on((event) => {
    const progress = progressOf(event);
    if (progress !== null) calls.get(keyOf(event.caller.agent.id, event.callId))?.progress.emit(progress);
  });

  function start(key: string, call: ToolCall, attempt: Attempt): KeptCall {
    const control = new AbortController();
    const content = callContent(call);
    const kept: KeptCall = {
      call,
      content,
      size: 2 * content.length,
      state: 'running',
      control,
      progress: createEmitter<Progress>(log),
      outcome: Promise.resolve({ result: { content: [] }, valueSize: 0 }),
    };
    kept.outcome = attempt(control.signal).then((outcome) => {
      kept.state = 'parked' in outcome ? 'parked' : 'done';
      const isKept = calls.get(key) === kept;
      if (isKept) remove(key, kept);
      if ('result' in outcome) kept.size += sizeOf(outcome);
      if (isKept) put(key, kept);
      return outcome;
    });
    put(key, kept);
    return kept;
  }

  /** Stored as the newest, so that the result of a long call is not dropped early. */
  function put(key: string, kept: KeptCall): void {
    remove(key, calls.get(key));
    calls.set(key, kept);
    total += kept.size;
    trim(kept);
  }

  function remove(key: string, kept: KeptCall | undefined): void {
    if (calls.delete(key)) total -= kept?.size ?? 0;
  }

  function trim(newest: KeptCall): void {
    for (const [key, kept] of calls) {
      if (calls.size <= MAX_KEPT_CALLS && total <= MAX_KEPT_CHARACTERS) return;
      if (kept.state !== 'running' && kept !== newest) remove(key, kept);
    }
  }

  async function waitFor(kept: KeptCall, options: CallOptions): Promise<CallToolResult> {
    const outcome = await outcomeFor(kept, options);
    if ('parked' in outcome) throw outcome.parked;
    return outcome.result;
  }

  /** That of the call, or that its caller has left it to others that wait for it. */
  function outcomeFor(kept: KeptCall, { signal, onProgress }: CallOptions): Promise<AttemptOutcome> {
    const stopWaiting = kept.progress.on(onProgress);
    return new Promise((resolve, reject) => {
      const leave = () => {
        stopWaiting();
        const reason: unknown = signal.reason;
        const withdraw = !(reason instanceof WaitEnded) || reason.mode === 'withdraw';
        if (withdraw || kept.progress.size === 0) kept.control.abort(withdraw ? new WaitEnded('withdraw') : reason);
        else resolve({ parked: stillRunningError() });
      };
      const end = () => {
        signal.removeEventListener('abort', leave);
        stopWaiting();
      };
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
      kept.outcome.then(
        (outcome) => {
          end();
          resolve(outcome);
        },
        (error: unknown) => {
          end();
          reject(error);
        },
      );
    });
  }

  return {
    /** Rejects with a WireError (reason `awaiting_human`) where the wait ended before the call. */
    async join(agentId: string, call: ToolCall, options: CallOptions, attempt: Attempt): Promise<CallToolResult> {
      const key = keyOf(agentId, call.callId);
      const before = calls.get(key);
      if (before !== undefined && before.content !== callContent(call))
        throw new WireError('DESKTOP_INVALID_REQUEST', message('error.call_id_reused'), {
          reason: 'call_id_reused',
        });
      // Its last waiter has left: it is either acting and will end by itself, or about to be parked.
      if (before?.state === 'running' && before.control.signal.aborted) await before.outcome;
      // Looked up again, because one of several waiters may have restarted it.
      const known = calls.get(key);
      const again = known === undefined || known.state === 'parked';
      return waitFor(again ? start(key, call, attempt) : known, options);
    },
    find: (agentId: string, callId: string): ToolCall | null => calls.get(keyOf(agentId, callId))?.call ?? null,
  };
}

const stillRunningError = (): WireError =>
  new WireError('DESKTOP_TIMEOUT', message('error.call_continues'), {
    reason: 'awaiting_human',
  });

function sizeOf({ result, valueSize }: MeasuredResult): number {
  const blocks = result.content.map((block) => (block.type === 'text' ? block.text.length : block.data.length));
  return blocks.reduce((sum, size) => sum + size, valueSize);
}

function callContent(call: ToolCall): string {
  return JSON.stringify([call.name, call.arguments ?? {}]);
}

/** The progress message for an event of a call; null where there is none. */
export function progressOf(event: CallEvent): Progress | null {
  const { callId } = event;
  switch (event.kind) {
    case 'queued':
      return { callId, state: 'queued', message: 'Waiting for this agent’s earlier call to end.' };
    case 'waiting':
      if (event.approvalId === null)
        return {
          ...{ callId, state: 'awaiting_human', message: 'Waiting for the person to answer.' },
          ...(event.question === undefined ? {} : { question: { callId, ...event.question } }),
        };
      const { approvalId, until } = event;
      const end = until === undefined ? '' : ` Without an answer it ends at ${until}.`;
      return { callId, state: 'awaiting_human', message: `Waiting for the person to decide.${end}`, approvalId };
    case 'acting':
      return {
        callId,
        state: 'running',
        message: event.step === null ? RUNNING : `Step ${event.step.number}: ${event.step.tool}.`,
      };
    default:
      return null;
  }
}

/** Records a refusal that happens before the pipeline in the audit log. */
export async function recordRefusal<T>(
  recorder: Pick<Recorder, 'refused'>,
  who: { caller: Caller; tool: string; requestId: string },
  check: () => T | Promise<T>,
): Promise<T> {
  try {
    return await check();
  } catch (thrown) {
    await recorder.refused({ ...who, error: asWireError(thrown).facts(), at: new Date().toISOString() });
    throw thrown;
  }
}

/** Throws for a call that was acting when an earlier host ended: it is never repeated. */
export async function assertKnownOutcome(recorder: Pick<Recorder, 'interrupted'>, callId: string): Promise<void> {
  const before = await recorder.interrupted(callId);
  if (before === null) return;
  const { executionId, startedAt } = before;
  throw new WireError('DESKTOP_ABORTED', message('error.outcome_unknown', { at: startedAt }), {
    reason: 'outcome_unknown',
    executionId,
    next: 'Look at the screen to see what was done, then make a new call (with a new id) for what is missing.',
  });
}
