export type ContentBlock = { type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string };

/** An MCP CallToolResult, ready to send. */
export interface CallToolResult {
  content: ContentBlock[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

/** A result, and the characters of its value as JSON. */
export interface MeasuredResult {
  result: CallToolResult;
  valueSize: number;
}

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
  /** The question that the person was asked, and the call that asks it. */
  question?: { callId: string; text: string; quickReplies: string[] };
}

export interface CallOptions {
  onProgress(progress: Progress): void;
  /** Aborted with WaitEnded: `detach` when the connection or the client's wait ended, `withdraw` when the call is cancelled. */
  signal: AbortSignal;
}

/** One call of an MCP tool, with the id that the caller gave it. */
export interface ToolCall {
  callId: string;
  name: string;
  arguments: unknown;
}
