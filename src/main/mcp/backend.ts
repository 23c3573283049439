/** What serves an MCP client: tools, resources and calls of one agent. */
import type { Signal } from '../../base/signal.js';
import type { ListedPrompt } from '../calls/prompts.js';
import type { ListedResource, ResourceTarget } from '../calls/resources.js';
import type { Descriptor } from './descriptors.js';
import type { CallState, HostToolResult } from './results.js';

export interface McpClientInfo {
  name: string;
  version: string;
}

export interface Wait {
  /** Of the client's request. */
  id: string | number;
  /** Aborted when the client cancels its request or is gone. */
  signal: Signal;
  onProgress(state: CallState): void;
  /** The HTTP request that brought it; left out on stdio. */
  http?: Request;
}

/** `client` is the client's own name, null until it has given one. */
export interface McpBackend {
  tools(client: McpClientInfo | null): Promise<Descriptor[]>;
  /** Rejects with WireError `unknown_tool` where there is no such tool. */
  call(name: string, args: unknown, client: McpClientInfo | null, wait: Wait): Promise<HostToolResult>;
  /** Of the addresses of its resources. */
  scheme: string;
  resources(): Promise<{ resources: ListedResource[]; templates: ListedResource[] }>;
  /** null where there is no resource of this path. */
  resource(path: string): Promise<ResourceTarget | null>;
  prompts(): Promise<ListedPrompt[]>;
  /** Rejects with WireError where there is no such prompt, or its arguments do not fit. */
  prompt(name: string, values: Readonly<Record<string, string>>): Promise<{ description: string; text: string }>;
  /** Empty where the person would have to be asked. */
  complete(argument: string, given: string): Promise<string[]>;
  /** The client's answer to the question of this call; false where it has one already, or is no question of this agent. */
  answer(callId: string, text: string): Promise<boolean>;
  /** The screens for the initialize result; null where they are not available in time. */
  screens(): Promise<unknown[] | null>;
  instructions: string;
}
