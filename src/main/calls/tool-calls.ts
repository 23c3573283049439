import type { Signal } from '../../base/signal.js';
import { WaitEnded, type Caller, type ChatPort, type Recorder } from '../pipeline/ports.js';
import type { CallEvents } from '../pipeline/events.js';
import type { Runner } from '../pipeline/run.js';
import { isControlEffect } from '../pipeline/dependencies.js';
import { closestName } from '../pipeline/closest-name.js';
import { asWireError } from '../pipeline/failures.js';
import { readArguments } from '../pipeline/lenient-arguments.js';
import { WireError } from '../protocol/index.js';
import type { Images } from '../tools/images.js';
import { isListed, type Tool } from '../tools/tool.js';
import type { AttentionBoard } from '../agents/attention.js';
import { createKeptCalls, type AttemptOutcome } from './kept-calls.js';
import { assertKnownOutcome, recordRefusal } from './refusals.js';
import { toolFailure, toolResult } from './results.js';
import type { CallOptions, ToolCall, CallToolResult } from './types.js';
import { message } from '../../messages/index.js';

export interface ToolCallsOptions {
  tools: readonly Tool[];
  /** Those of connected applications, as they are now. */
  appTools(): readonly Tool[];
  runner: Pick<Runner, 'run'>;
  events: Pick<CallEvents, 'on'>;
  recorder: Pick<Recorder, 'interrupted' | 'refused'>;
  chat: Pick<ChatPort, 'withdraw'>;
  attention: Pick<AttentionBoard, 'assertClear'>;
  images: Images;
  workspaceFor(caller: Caller): Promise<string>;
  /** How a person starts the command line on this machine. */
  command?: string | undefined;
  log(thrown: unknown): void;
}

/** MCP tool calls. They continue without their caller: a late answer is kept, and a parked question continues on resume or repetition. */
export function createToolCalls(options: ToolCallsOptions) {
  const { runner, recorder, attention, images } = options;
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
    return kept.join(caller.agent.id, read, waiting, (signal) => attempt(found, caller, read, signal));
  }

  async function attempt({ action }: Tool, caller: Caller, call: ToolCall, signal: Signal): Promise<AttemptOutcome> {
    const { callId } = call;
    try {
      await recordRefusal(recorder, { caller, tool: action.name, requestId: callId }, async () => {
        await assertKnownOutcome(recorder, callId);
        if (isControlEffect(action.effect) || action.effect === 'disclose') attention.assertClear(action.offDesktop);
      });
      const result = await runner.run(action, {
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
      });
      return toolResult(result, images, caller.agent.id);
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
    cancel(caller: Caller, callId: string, mode: 'detach' | 'abort'): boolean {
      const ended = kept.end(caller.agent.id, callId, new WaitEnded(mode === 'abort' ? 'withdraw' : 'detach'));
      if (mode === 'abort') options.chat.withdraw(callId, caller.agent.id);
      return ended;
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
