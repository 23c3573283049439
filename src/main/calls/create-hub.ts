import type { AnyAction } from '../pipeline/action.js';
import type { ChatPort } from '../pipeline/ports.js';
import type { DesktopBackend, Display } from '../../native/desktop.js';
import type { Tool } from '../tools/common.js';
import type { Agents } from '../agents/index.js';
import type { AttentionBoard } from '../agents/attention.js';
import { createBridgeCalls } from './bridge-calls.js';
import type { BridgeCallsOptions } from './bridge-calls.js';
import { describeTool } from './descriptors.js';
import type { Hub, Screen } from './hub.js';
import type { ImageStore } from './images.js';
import { createToolCalls } from './tool-calls.js';
import type { ToolCallsOptions } from './tool-calls.js';

export interface HubOptions extends Omit<BridgeCallsOptions, 'actions'>, Omit<ToolCallsOptions, 'tools' | 'chat'> {
  bridgeActions: AnyAction[];
  tools: Tool[];
  desktop: Pick<DesktopBackend, 'displays'>;
  chat: ChatPort & { lost(connectionId: string): void };
  agents: Agents;
  attention: AttentionBoard;
  images: ImageStore;
  /** Who watches for agents; nobody yet where left out. */
  onObservation?: Hub['onObservation'];
  admin: Hub['admin'];
  /** The agent's last connection has ended. */
  left(agentId: string): void;
}

const IMAGE_URI = 'gabp://chaperone/images/';

/** The one door of the protocol servers. Any call of an agent also proves that earlier replies have reached it. */
export function createHub(options: HubOptions): Hub {
  const { agents, chat, desktop, images, attention } = options;
  const bridge = createBridgeCalls({ ...options, actions: options.bridgeActions });
  const tools = createToolCalls(options);
  const descriptors = options.tools.map(describeTool);

  return {
    bridgeMethods: bridge.methods,
    bridge(caller, call, given) {
      agents.called(caller);
      chat.seen(caller.agent.id, null);
      return bridge.bridge(caller, call, given);
    },
    tools: (profile) => (profile === 'full' ? descriptors : descriptors.filter((one) => one.core)),
    tool(caller, call, given) {
      agents.called(caller);
      chat.seen(caller.agent.id, call.callId);
      return tools.tool(caller, call, given);
    },
    resume(caller, callId, given) {
      agents.called(caller);
      chat.seen(caller.agent.id, callId);
      return tools.resume(caller, callId, given);
    },
    cancel: tools.cancel,
    async screens() {
      const displays = await desktop.displays(AbortSignal.timeout(2000));
      return screensOf(displays);
    },
    resources: ({ agent }) =>
      images.list(agent.id).map(({ id, mimeType, width, height, bytes }) => ({
        uri: `${IMAGE_URI}${id}`,
        name: `${width}×${height} ${mimeType}`,
        mimeType,
        size: bytes.length,
      })),
    readResource({ agent }, uri) {
      const image = images.list(agent.id).find(({ id }) => uri === `${IMAGE_URI}${id}`);
      return image === undefined
        ? null
        : { uri, name: image.id, mimeType: image.mimeType, base64: Buffer.from(image.bytes).toString('base64') };
    },
    attention: attention.port,
    // The tables are fixed while a host lives, so there is never anything to tell.
    onToolsChanged: () => () => undefined,
    onObservation: options.onObservation ?? (() => () => undefined),
    admin: options.admin,
    connected: agents.connected,
    disconnected(caller) {
      agents.disconnected(caller);
      chat.lost(caller.connectionId);
      if (!agents.has(caller.agent.id)) options.left(caller.agent.id);
    },
  };
}

/** Exactly one is `main`, whatever the system says. */
function screensOf(displays: Display[]): Screen[] {
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
