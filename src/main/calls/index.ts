/**
 * Runs calls of methods and tools from any protocol: results that clients can take, progress, and lists of what may be called.
 * Decides waiting and resuming. Only `serve/` calls it, and nothing else may call the pipeline. Never approves anything.
 */
import type { Caller } from '../approvals/request.js';
import type { AgentChat, Chat } from '../chat/index.js';
import type { DesktopReader } from '../../native/desktop.js';
import { QUESTION_TOOL } from '../protocol/local-command.js';
import type { Agents } from '../agents/index.js';
import { createCompletions } from './completions.js';
import { describeTool } from './descriptors.js';
import type { ImageStore } from './images.js';
import { createMethodCalls, type MethodCall, type MethodCallsOptions } from './method-calls.js';
import { listPrompts, promptText, type ListedPrompt } from './prompts.js';
import { createResources, type Resources, type ResourcesOptions } from './resources.js';
import type { CallSeat, Seats } from './seats.js';
import { createToolCalls, type ToolCallsOptions } from './tool-calls.js';
import { isListed, type Tool } from '../tools/tool.js';
import type { CallOptions, ToolCall, ToolDescriptor, CallToolResult } from './types.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { withTimeout } from '../../base/poll.js';
import type { Runner } from '../pipeline/run.js';
import type { Effect } from '../protocol/index.js';

export interface Calls extends Resources {
  /** Names of the desktop.* methods. */
  readonly methods: readonly string[];
  /** Throws WireError. `signal` aborts with WaitEnded, as in {@link CallOptions}. */
  callMethod(caller: Caller, call: MethodCall, signal: AbortSignal): Promise<unknown>;
  tools(profile: 'full' | 'core'): readonly ToolDescriptor[];
  /** Never rejects for a tool's failure: that is `isError`. Unknown names reject with DESKTOP_INVALID_REQUEST `reason: unknown_tool`. */
  callTool(caller: Caller, call: ToolCall, options: CallOptions): Promise<CallToolResult>;
  /** Waits again for an earlier call of the same agent; DESKTOP_INVALID_REQUEST `reason: unknown_call` without one. */
  resume(caller: Caller, callId: string, options: CallOptions): Promise<CallToolResult>;
  /** The result of this call was written to the caller’s connection. */
  resultWritten(caller: Caller, callId: string): void;
  /** Whoever made this call reads no result any more: an answer in it has not arrived. */
  notReceived(caller: Caller, callId: string): void;
  /** Those of the desktop that this caller uses; none before it has one. */
  screens(caller: Caller): Promise<ScreenInfo[]>;
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

interface CallsOptions extends MethodCallsOptions, Omit<ToolCallsOptions, 'seats'> {
  /** For agents that asked for a desktop of their own; the others use the one of these options. */
  seats(shared: CallSeat): Seats;
  chat: Pick<AgentChat, 'confirmDelivery' | 'resultWritten' | 'notReceived' | 'collectWritten'> &
    Pick<Chat, 'answerInClient'>;
  agents: Pick<Agents, 'called'>;
  mayReadTitles: CallSeat['mayReadTitles'];
  desktop: Pick<DesktopReader, 'displays'>;
  images: ImageStore;
  toldResources: ResourcesOptions['toldResources'];
}

export function createCalls(options: CallsOptions): Calls {
  const { agents, chat, desktop, images } = options;
  const runner = withReadSlots(options.runner);
  const methodCalls = createMethodCalls({ ...options, runner });
  const tools = new Map(options.tools.map((tool) => [tool.action.name, tool]));
  const { attention, mayReadTitles } = options;
  const tool = (name: string) => tools.get(name);
  const seats = options.seats({ runner, attention, tool, desktop, mayReadTitles });
  const toolCalls = createToolCalls({ ...options, seats });
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
    resultWritten: ({ agent }, callId) => chat.resultWritten(agent.id, callId),
    notReceived: ({ agent }, callId) => chat.notReceived(agent.id, callId),
    async screens(caller) {
      const seat = seats.of(caller);
      return seat === null ? [] : readScreens(seat.desktop);
    },
    ...createResources({
      images,
      hasTool: (name) => toolCalls.find(name) !== undefined,
      apps: () => new Set(options.appTools().map(({ group }) => group)),
      toldResources: options.toldResources,
    }),
    answer: ({ agent }, callId, text) => chat.answerInClient(agent.id, callId, text),
    prompts: listPrompts,
    prompt: promptText,
    ...createCompletions({ ...options, seats }),
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

interface RunningCalls {
  /** Counts a call until it ends. Returns the same promise. */
  add<T>(call: Promise<T>): Promise<T>;
  /** Resolves when every counted call has been answered, or after `timeoutMs`. */
  allAnswered(timeoutMs: number): Promise<void>;
}

export function createRunningCalls(): RunningCalls {
  const running = new Set<Promise<unknown>>();
  return {
    add(call) {
      running.add(call);
      const remove = () => void running.delete(call);
      call.then(remove, remove);
      return call;
    },
    async allAnswered(timeoutMs) {
      await withTimeout(Promise.allSettled([...running]), timeoutMs);
      // A result is written in the same event loop turn in which its call ends.
      await nextTurn();
    },
  };
}

/** A display, for clients that ask for it in their opening message. */
interface ScreenInfo {
  /** `main` or `display-<index>`. */
  id: string;
  /** As the tools name it: `displays/<id>`. */
  name: string;
  width: number;
  height: number;
  pixel_density: number;
  origin_x: number;
  origin_y: number;
}

const TIMEOUT_MS = 2000;

/** Exactly one display is `main`, even if the system reports none or several. */
async function readScreens(desktop: Pick<DesktopReader, 'displays'>): Promise<ScreenInfo[]> {
  const displays = await desktop.displays(AbortSignal.timeout(TIMEOUT_MS));
  const main = Math.max(
    0,
    displays.findIndex((one) => one.main),
  );
  return displays.map(({ id, frame, scale }, index) => ({
    id: index === main ? 'main' : `display-${index}`,
    name: `displays/${id}`,
    width: frame.width,
    height: frame.height,
    pixel_density: scale,
    origin_x: frame.x,
    origin_y: frame.y,
  }));
}

/** How many at once: each step of an act waits for a step of every one of them. */
const MAX_READS = 5;
/** A call that takes longer waits for something, and keeps no other from being read. */
const MAX_HELD_MS = 30;

const READS: ReadonlySet<Effect> = new Set(['read', 'disclose']);

/** A runner of which some reads run at once and the others wait, agent by agent in turns. Acts and bookkeeping never wait here. */
export function withReadSlots({ run }: Pick<Runner, 'run'>): Pick<Runner, 'run'> {
  const slots = createSlots();
  return {
    run: (action, call) =>
      READS.has(action.effect)
        ? slots.run(call.caller.agent.id, call.signal, () => run(action, call))
        : run(action, call),
  };
}

function createSlots() {
  /** By agent; the one whose turn is next comes first. */
  const waiting = new Map<string, (() => void)[]>();
  let taken = 0;

  /** The slot goes to the next that waits. */
  function leave(): void {
    for (const [agentId, queue] of waiting) {
      const next = queue.shift();
      waiting.delete(agentId);
      if (queue.length > 0) waiting.set(agentId, queue);
      if (next !== undefined) return next();
    }
    taken -= 1;
  }

  /** null: at once. Resolves false, without a slot, where the call is cancelled while it waits. */
  function enter(agentId: string, signal: AbortSignal): Promise<boolean> | null {
    if (taken < MAX_READS) {
      taken += 1;
      return null;
    }
    if (signal.aborted) return Promise.resolve(false);
    const queue = waiting.get(agentId) ?? [];
    waiting.set(agentId, queue);
    return new Promise((resolve) => {
      const next = () => {
        signal.removeEventListener('abort', cancel);
        resolve(true);
      };
      const cancel = () => {
        queue.splice(queue.indexOf(next), 1);
        resolve(false);
      };
      queue.push(next);
      signal.addEventListener('abort', cancel, { once: true });
    });
  }

  return {
    async run<T>(agentId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      const turn = enter(agentId, signal);
      // What is cancelled ends by itself, in the words of its stage.
      if (turn !== null && !(await turn)) return work();
      let held = true;
      const leaveOnce = () => {
        if (held) leave();
        held = false;
      };
      const timer = setTimeout(leaveOnce, MAX_HELD_MS);
      try {
        return await work();
      } finally {
        clearTimeout(timer);
        leaveOnce();
      }
    },
  };
}
