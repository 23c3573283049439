/** What every protocol server of the host calls: one narrow door to the action tables, so that transports know no tools and tools know no transports. */
import type { AttentionPort } from '../agents/attention.js';
import type { Caller } from '../pipeline/ports.js';

export type ContentBlock = { type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string };

/** An MCP CallToolResult, ready to send. */
export interface ToolResult {
  content: ContentBlock[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

/** MCP's hints, where they differ from what MCP supposes of a tool that has none: that it may change and destroy anything, anywhere. */
export interface Annotations {
  readOnlyHint?: true;
  destructiveHint?: false;
  openWorldHint?: false;
}

export interface ToolDescriptor {
  /** MCP name, `snake_case`. */
  name: string;
  /** GABP name, `group/tool`. */
  gabpName: string;
  title: string;
  description: string;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
  annotations: Annotations;
  tags: string[];
  /** In the small `core` profile. */
  core: boolean;
}

export interface Progress {
  callId: string;
  state: 'queued' | 'awaiting_human' | 'running';
  approvalId?: string;
  message: string;
}

interface ResourceContent {
  uri: string;
  name: string;
  mimeType: string;
  base64: string;
}

/** What an observation saw. */
export interface ObservationEvent {
  /** The agent that made the observation; nobody else is told. */
  agentId: string;
  /** Without `observations/`. */
  observationId: string;
  event: Record<string, unknown>;
}

export interface CallOptions {
  onProgress(progress: Progress): void;
  /** Aborted with WaitEnded: `detach` when the connection or the client's wait ended, `withdraw` when the call is given up. */
  signal: AbortSignal;
}

/** A display as the opening tells of it. */
export interface Screen {
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

export interface Hub {
  bridgeMethods(): string[];
  /** A desktop.* call; throws WireError. `id` is the JSON-RPC id, kept so that `abort` can name it. */
  bridge(caller: Caller, call: { id: string; method: string; params: unknown }, options: CallOptions): Promise<unknown>;
  tools(profile: 'full' | 'core'): ToolDescriptor[];
  /** Never rejects for a tool's failure: that is `isError`. Unknown names reject with DESKTOP_INVALID_REQUEST `reason: unknown_tool`. */
  tool(
    caller: Caller,
    call: { callId: string; name: string; arguments: unknown },
    options: CallOptions,
  ): Promise<ToolResult>;
  /** Waits again for a call made earlier by the same agent; DESKTOP_INVALID_REQUEST `reason: unknown_call` when there is none. */
  resume(caller: Caller, callId: string, options: CallOptions): Promise<ToolResult>;
  cancel(caller: Caller, callId: string, mode: 'detach' | 'abort'): boolean;
  screens(): Promise<Screen[]>;
  resources(caller: Caller): { uri: string; name: string; mimeType: string; size: number }[];
  readResource(caller: Caller, uri: string): ResourceContent | null;
  attention: AttentionPort;
  onToolsChanged(listener: () => void): () => void;
  onObservation(listener: (seen: ObservationEvent) => void): () => void;
  /** `admin/*` methods of the command line on the Unix socket (status, stop, pair, approvals, deny): throws WireError; unknown ones are DESKTOP_INVALID_REQUEST. */
  admin(caller: Caller, method: string, params: unknown): Promise<unknown>;
  connected(caller: Caller): void;
  disconnected(caller: Caller): void;
}
