/** Services that record what they are asked and answer as the test says. */
import type { Caller } from '../../src/main/approvals/request.js';
import { WireError } from '../../src/main/protocol/index.js';
import { verbatim } from '../../src/messages/index.js';
import type { Attention, AttentionPort } from '../../src/main/agents/attention.js';
import type { CallOptions, ToolDescriptor, CallToolResult } from '../../src/main/calls/types.js';
import type { DeliveredEvent } from '../../src/main/desktop/watch/index.js';
import { listPrompts, promptText } from '../../src/main/calls/prompts.js';
import { callOf } from '../../src/main/calls/resources.js';
import type { AgentServices } from '../../src/main/serve/services.js';

export interface Made {
  caller: Caller;
  name: string;
  callId: string;
  arguments: unknown;
  options: CallOptions;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

export interface FakeServices extends AgentServices {
  /** Calls that wait until the test settles them, oldest first. */
  made: Made[];
  present: string[];
  admins: string[];
  attend(event: 'opened' | 'updated' | 'cleared', item: Attention): void;
  observe(seen: Pick<DeliveredEvent, 'agentId' | 'observationId'> & { event: object }): void;
}

function tool(name: string, over: Partial<ToolDescriptor> = {}): ToolDescriptor {
  return {
    name,
    gabpName: `test/${name}`,
    title: name,
    description: `The ${name} tool`,
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true, openWorldHint: false },
    tags: ['read-only'],
    core: true,
    ...over,
  };
}

export const ATTENTION: Attention = {
  attentionId: 'att-1',
  state: 'open',
  severity: 'info',
  blocking: true,
  stateInvalidated: true,
  summary: 'The person paused agents.',
  openedAtSequence: 1,
  latestSequence: 1,
  totalUrgentEntries: 1,
};

export function createFakeServices(): FakeServices {
  const made: Made[] = [];
  const present: string[] = [];
  const admins: string[] = [];
  const watchers = new Set<(seen: DeliveredEvent) => void>();
  const attentionListeners = new Set<Parameters<AttentionPort['onChange']>[0]>();
  const image = { path: 'images/abc', name: 'a picture', mimeType: 'image/png' };

  const wait = <T>(caller: Caller, name: string, callId: string, args: unknown, options: CallOptions): Promise<T> =>
    new Promise((resolve, reject) => {
      options.signal.addEventListener('abort', () => reject(options.signal.reason));
      made.push({ caller, name, callId, arguments: args, options, resolve: (value) => resolve(value as T), reject });
    });

  return {
    made,
    present,
    admins,
    attend: (event, item) => attentionListeners.forEach((listener) => listener(event, item, verbatim(item.summary))),
    observe: (seen) => watchers.forEach((watcher) => watcher(seen as DeliveredEvent)),
    calls: {
      methods: ['desktop.health', 'desktop.click', 'desktop.abort'],
      callMethod: (caller, { id, method, params }, signal) =>
        wait(caller, method, id, params, { signal, onProgress: () => undefined }),
      tools: (profile) => [tool('look'), tool('click', { tags: ['input'], core: false, outputSchema: { type: 'object', required: ['x'] } })].filter(({ core }) => core || profile === 'full'), // prettier-ignore
      callTool: (caller, call, options) =>
        wait<CallToolResult>(caller, call.name, call.callId, call.arguments, options),
      resume: (caller, callId, options) =>
        callId === 'unknown'
          ? Promise.reject(
              new WireError('DESKTOP_INVALID_REQUEST', verbatim('No such call.'), { reason: 'unknown_call' }),
            )
          : wait<CallToolResult>(caller, 'resume', callId, null, options),
      resultWritten: () => undefined,
      notReceived: () => undefined,
      screens: async () => [
        { id: 'main', name: 'displays/0', width: 800, height: 600, pixel_density: 1, origin_x: 0, origin_y: 0 },
      ],
      resources: () => [{ ...image, size: 2 }],
      resourceTemplates: () => [],
      resource: (_caller, path) =>
        path === image.path ? { kind: 'content', mimeType: image.mimeType, base64: 'aGk=' } : callOf(path),
      answer: () => false,
      prompts: listPrompts,
      prompt: promptText,
      complete: async (_caller, argument, given) => [`${argument}:${given}`],
      allAnswered: async () => undefined,
    },
    attention: {
      current: () => ATTENTION,
      acknowledge: (id) => ({ acknowledged: id === 'gone', currentAttention: ATTENTION }),
      onChange(listener) {
        attentionListeners.add(listener);
        return () => attentionListeners.delete(listener);
      },
    },
    onToolsChanged: () => () => undefined,
    onAppNews: () => () => undefined,
    onObservation(listener) {
      watchers.add(listener);
      return () => watchers.delete(listener);
    },
    admin: async (caller, method) => {
      admins.push(method);
      return { pid: caller.peer.pid };
    },
    agents: {
      connected: ({ agent, protocol }) => void present.push(`+${agent.name}/${protocol}`),
      disconnected: ({ agent, protocol }) => void present.push(`-${agent.name}/${protocol}`),
    },
  };
}
