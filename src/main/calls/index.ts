/**
 * Runs calls of methods and tools from any protocol: results that clients can take, progress, and lists of what may be called.
 * Decides waiting, resuming and cancelling. Only `serve/` calls it, and nothing else may call the pipeline. Never approves anything.
 */
import type { Signal } from '../../base/signal.js';
import type { Caller, ChatPort } from '../pipeline/ports.js';
import type { DesktopReader } from '../../native/desktop.js';
import type { Chat } from '../chat/index.js';
import { QUESTION_TOOL } from '../protocol/resume-tool.js';
import type { Agents } from '../agents/index.js';
import { createCompletions, type CompletionsOptions } from './completions.js';
import { describeTool } from './descriptors.js';
import type { ImageStore } from './images.js';
import { createMethodCalls, type MethodCall, type MethodCallsOptions } from './method-calls.js';
import { listPrompts, promptText, type ListedPrompt } from './prompts.js';
import { withReadSlots } from './read-slots.js';
import { createResources, type Resources, type ResourcesOptions } from './resources.js';
import { createRunningCalls, type RunningCalls } from './running-calls.js';
import { readScreens, type ScreenInfo } from './screens.js';
import { createToolCalls, type ToolCallsOptions } from './tool-calls.js';
import { isListed, type Tool } from '../tools/tool.js';
import type { CallOptions, ToolCall, ToolDescriptor, CallToolResult } from './types.js';

export interface Calls extends Resources {
  /** Names of the desktop.* methods. */
  readonly methods: readonly string[];
  /** Throws WireError. `signal` aborts with WaitEnded, as in {@link CallOptions}. */
  callMethod(caller: Caller, call: MethodCall, signal: Signal): Promise<unknown>;
  tools(profile: 'full' | 'core'): readonly ToolDescriptor[];
  /** Never rejects for a tool's failure: that is `isError`. Unknown names reject with DESKTOP_INVALID_REQUEST `reason: unknown_tool`. */
  callTool(caller: Caller, call: ToolCall, options: CallOptions): Promise<CallToolResult>;
  /** Waits again for an earlier call of the same agent; DESKTOP_INVALID_REQUEST `reason: unknown_call` without one. */
  resume(caller: Caller, callId: string, options: CallOptions): Promise<CallToolResult>;
  cancel(caller: Caller, callId: string, mode: 'detach' | 'abort'): boolean;
  /** The result of this call was written to the caller’s connection. */
  resultWritten(caller: Caller, callId: string): void;
  /** Whoever made this call reads no result any more: an answer in it has not arrived. */
  notReceived(caller: Caller, callId: string): void;
  screens(): Promise<ScreenInfo[]>;
  /** The client's answer to the question that this call asks; false where it has one already, or is no open question of this agent. */
  answer(caller: Caller, callId: string, text: string): boolean;
  prompts(): ListedPrompt[];
  /** Throws WireError where there is no such prompt, or its arguments do not fit. */
  prompt(name: string, values: Readonly<Record<string, string>>): { description: string; text: string };
  /** Values that begin or are found so; none where the person would have to be asked. Never rejects. */
  complete(caller: Caller, argument: string, given: string): Promise<string[]>;
  /** Resolves when all running calls have been answered, or after `timeoutMs`. Open questions to the person do not count, because they are stored on disk. */
  allAnswered: RunningCalls['allAnswered'];
}

interface CallsOptions extends MethodCallsOptions, ToolCallsOptions {
  chat: Pick<ChatPort, 'confirmDelivery' | 'resultWritten' | 'notReceived' | 'withdraw'> & Pick<Chat, 'answerInClient'>;
  agents: Pick<Agents, 'called'>;
  mayReadTitles: CompletionsOptions['mayReadTitles'];
  desktop: Pick<DesktopReader, 'displays'>;
  images: ImageStore;
  toldResources: ResourcesOptions['toldResources'];
}

export function createCalls(options: CallsOptions): Calls {
  const { agents, chat, desktop, images } = options;
  const runner = withReadSlots(options.runner);
  const methodCalls = createMethodCalls({ ...options, runner });
  const toolCalls = createToolCalls({ ...options, runner });
  const running = createRunningCalls();
  const describeOwn = describeOnce(() => options.tools);
  const describeApps = describeOnce(options.appTools);

  /** A call of an agent proves that it received earlier replies. */
  function noteCall(caller: Caller, callId: string | null): void {
    agents.called(caller);
    chat.confirmDelivery(caller.agent.id, callId);
  }

  return {
    methods: methodCalls.names,
    callMethod(caller, call, signal) {
      noteCall(caller, null);
      return running.add(methodCalls.callMethod(caller, call, signal));
    },
    tools(profile) {
      const full = [...describeOwn(), ...describeApps()];
      return profile === 'full' ? full : full.filter(({ core }) => core);
    },
    callTool(caller, call, waiting) {
      noteCall(caller, call.callId);
      const result = toolCalls.callTool(caller, call, waiting);
      return call.name === QUESTION_TOOL ? result : running.add(result);
    },
    resume(caller, callId, waiting) {
      noteCall(caller, callId);
      return running.add(toolCalls.resume(caller, callId, waiting));
    },
    cancel: toolCalls.cancel,
    resultWritten: ({ agent }, callId) => chat.resultWritten(agent.id, callId),
    notReceived: ({ agent }, callId) => chat.notReceived(agent.id, callId),
    screens: () => readScreens(desktop),
    ...createResources({
      images,
      hasTool: (name) => toolCalls.find(name) !== undefined,
      apps: () => new Set(options.appTools().map(({ group }) => group)),
      toldResources: options.toldResources,
    }),
    answer: ({ agent }, callId, text) => chat.answerInClient(agent.id, callId, text),
    prompts: listPrompts,
    prompt: promptText,
    ...createCompletions({ ...options, runner, find: toolCalls.find }),
    allAnswered: running.allAnswered,
  };
}

/** The same list is described once, when first asked for: that is a fifth of the time of a host's start. */
function describeOnce(list: () => readonly Tool[]): () => readonly ToolDescriptor[] {
  let known: readonly Tool[] = [];
  let described: readonly ToolDescriptor[] = [];
  return () => {
    const now = list();
    if (now !== known) [known, described] = [now, now.filter(isListed).map(describeTool)];
    return described;
  };
}
