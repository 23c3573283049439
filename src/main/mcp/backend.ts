/** What serves an MCP client: the shim's tools and calls, or those of the host itself. */
import type { Signal } from '../../base/signal.js';
import type { Descriptor } from './descriptors.js';
import type { CallState, HostToolResult } from './results.js';

export interface McpClientInfo {
  name: string;
  version: string;
}

export interface Wait {
  /** Aborted when the client cancels its request or is gone. */
  signal: Signal;
  onProgress(state: CallState): void;
  /** The HTTP request that made the call; left out on stdio. */
  request?: Request;
}

/** `client` is the client's own name, null until it has given one. */
export interface McpBackend {
  tools(client: McpClientInfo | null): Promise<Descriptor[]>;
  /** Rejects with WireError `unknown_tool` where there is no such tool. */
  call(name: string, args: unknown, client: McpClientInfo | null, wait: Wait): Promise<HostToolResult>;
  /** The screens for the initialize result; null where they are not available in time. */
  screens(): Promise<unknown[] | null>;
  instructions: string;
}
