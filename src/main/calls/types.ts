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

export interface CallOptions {
  onProgress(progress: Progress): void;
  /** Aborted with WaitEnded: `detach` when the connection or the client's wait ended, `withdraw` when the call is given up. */
  signal: AbortSignal;
}

/** One call of an MCP tool, under the caller's own name for it. */
export interface ToolCall {
  callId: string;
  name: string;
  arguments: unknown;
}
