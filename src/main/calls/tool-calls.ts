import type { Caller, ChatPort, Recorder } from '../pipeline/ports.js';
import { WaitEnded } from '../pipeline/ports.js';
import type { Runner } from '../pipeline/run.js';
import { isControl } from '../pipeline/dependencies.js';
import { nearest } from '../pipeline/nearest.js';
import { asWireError } from '../pipeline/failures.js';
import { WireError } from '../protocol/index.js';
import type { Images, Tool } from '../tools/common.js';
import type { AttentionBoard } from '../agents/attention.js';
import { outcomeUnknown } from './bridge-calls.js';
import { createKeptCalls } from './kept-calls.js';
import type { Outcome } from './kept-calls.js';
import type { CallOptions, ToolResult } from './hub.js';
import { onRecord } from './record-refusal.js';
import { toolFailure, toolResult } from './results.js';

export interface ToolCallsOptions {
  tools: Tool[];
  runner: Runner;
  recorder: Pick<Recorder, 'interrupted' | 'refused'>;
  chat: Pick<ChatPort, 'withdraw'>;
  attention: AttentionBoard;
  images: Images;
  workspaceFor(caller: Caller): Promise<string>;
  /** What a person types on this machine to call the command line. */
  command?: string | undefined;
  log(thrown: unknown): void;
}

interface ToolCall {
  callId: string;
  name: string;
  arguments: unknown;
}

/** MCP tool calls. They outlive their callers: a late answer is kept, a parked question is taken up again by resume or repeat. */
export function createToolCalls(options: ToolCallsOptions) {
  const { runner, recorder, attention, images } = options;
  const table = new Map(options.tools.map((tool) => [tool.action.name, tool]));
  for (const tool of options.tools) table.set(`${tool.group}/${tool.action.name}`, tool);
  const names = options.tools.map((one) => one.action.name);
  const kept = createKeptCalls();

  async function tool(caller: Caller, call: ToolCall, given: CallOptions): Promise<ToolResult> {
    const found = table.get(call.name);
    if (found === undefined) throw unknownTool(call.name, names);
    return kept.join(caller.agent.id, call, given, (wait, tell) =>
      attempt(found, caller, call, { signal: wait, onProgress: tell }),
    );
  }

  async function attempt(
    { action }: Tool,
    caller: Caller,
    call: ToolCall,
    { signal, onProgress }: CallOptions,
  ): Promise<Outcome> {
    const { callId } = call;
    try {
      await onRecord(recorder, { caller, tool: action.name, requestId: callId }, () => {
        const before = recorder.interrupted(callId);
        if (before !== null) throw outcomeUnknown(before);
        if (isControl(action.effect) || action.effect === 'disclose') attention.assertClear(action.offDesktop);
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
        onProgress: (state, message, approvalId) =>
          onProgress({ callId, state, message, ...(approvalId === undefined ? {} : { approvalId }) }),
      });
      return { result: toolResult(result, images, caller.agent.id) };
    } catch (thrown) {
      const error = asWireError(thrown);
      if (error.details['kind'] === 'bug') options.log(thrown);
      return error.details['reason'] === 'awaiting_human'
        ? { parked: error }
        : { result: toolFailure(error, options.command) };
    }
  }

  return {
    tool,
    async resume(caller: Caller, callId: string, given: CallOptions): Promise<ToolResult> {
      const call = kept.find(caller.agent.id, callId);
      if (call === null)
        throw new WireError('DESKTOP_INVALID_REQUEST', `There is no call ${callId.slice(0, 100)} of yours to resume.`, {
          reason: 'unknown_call',
          next: 'Make the call anew.',
        });
      return tool(caller, call, given);
    },
    cancel(caller: Caller, callId: string, mode: 'detach' | 'abort'): boolean {
      const ended = kept.end(caller.agent.id, callId, new WaitEnded(mode === 'abort' ? 'withdraw' : 'detach'));
      if (mode === 'abort') options.chat.withdraw(callId, caller.agent.id);
      return ended;
    },
  };
}

function unknownTool(given: string, names: string[]): WireError {
  const near = nearest(given, names);
  return new WireError(
    'DESKTOP_INVALID_REQUEST',
    `There is no tool ${JSON.stringify(given.slice(0, 100))}.${near === null ? '' : ` Did you mean ${near}?`}`,
    { reason: 'unknown_tool', tools: names, next: `Use one of: ${names.join(', ')}.` },
  );
}
