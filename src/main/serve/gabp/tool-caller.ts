import { randomUUID } from 'node:crypto';
import type { Progress, ContentBlock, CallToolResult } from '../../calls/types.js';
import { type GabpRequest, GABP_ERRORS, GabpFault } from '../../protocol/gabp.js';
import { PROGRESS, type GabpMethod, type MethodDependencies } from './method.js';
import * as z from 'zod';
import { ERRORS, WireError, type ErrorCode } from '../../protocol/index.js';
import { message, verbatim, type Message } from '../../../messages/index.js';

/** Most calls have been answered by then, and a message wakes a process. */
const RUNNING_DELAY_MS = 50;

/**
 * Sends the progress of one call while `work` runs. What it waits for is sent at once; that it runs, and its latest step, only if it
 * still runs after 50 ms.
 */
export async function withProgress<T>(
  send: (progress: Progress) => void,
  work: (onProgress: (progress: Progress) => void) => Promise<T>,
): Promise<T> {
  let running: Progress | null = null;
  let timer: NodeJS.Timeout | null = null;

  function stop(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  }

  function sendRunning(): void {
    timer = null;
    if (running !== null) send(running);
  }

  try {
    return await work((progress) => {
      running = progress.state === 'running' ? progress : null;
      if (running !== null) timer ??= setTimeout(sendRunning, RUNNING_DELAY_MS);
      else {
        stop();
        send(progress);
      }
    });
  } finally {
    stop();
  }
}

/** Calls a tool for a request, and gives its structured result. Rejects with the tool's failure. */
export type CallTool = (tool: string, args: unknown) => Promise<unknown>;

/** Work that calls tools for one request: their progress carries its id, and its answer confirms what they delivered. */
export const createToolCaller =
  ({ calls, events, caller }: Pick<MethodDependencies, 'calls' | 'events' | 'caller'>) =>
  <T>(
    { id }: GabpRequest,
    onWritten: Parameters<GabpMethod>[2],
    work: (call: CallTool) => Promise<T>,
  ): ((signal: AbortSignal) => Promise<T>) => {
    const tell = (progress: Progress): void => events.publish(PROGRESS, { ...progress, callId: id });
    return (signal) =>
      work(async (name, args) => {
        // Request ids may come again on another connection; a call's id never may, for results are kept by it.
        const made = { callId: randomUUID(), name, arguments: args };
        onWritten(() => calls.resultWritten(caller(), made.callId));
        return toolOutput(
          await withProgress(tell, (onProgress) => calls.callTool(caller(), made, { signal, onProgress })),
        );
      });
  };

// A tool result as a plain GABP caller gets it: the structured value, pictures as addresses to read.

/** Throws for a result that says it is an error: with its own code where it carries one. */
function toolOutput(result: CallToolResult): unknown {
  if (result.isError === true) throw failure(result);
  const value = result.structuredContent ?? record(result._meta?.['dev.chaperone/value']);
  const pictures = result.content.filter((block) => block.type === 'image');
  const output = value ?? { text: joinText(result.content) };
  if (pictures.length === 0) return output;
  return { ...output, images: pictures.map((block) => imageReference(block, output)) };
}

const imageSchema = z.looseObject({ images: z.array(z.object({ uri: z.string(), mimeType: z.string() })) });

/** The addresses of pictures in an output. */
export function imagesIn(output: unknown): { uri: string; mimeType: string }[] {
  const read = imageSchema.safeParse(output);
  return read.success ? read.data.images : [];
}

function imageUri(id: string): string {
  return `gabp://chaperone/images/${id}`;
}

/** The picture the value names is in the host's store; any other travels whole, as a data address. */
function imageReference(block: { data: string; mimeType: string }, value: Record<string, unknown>): unknown {
  const id = record(value['image'])?.['id'];
  const uri = typeof id === 'string' ? imageUri(id) : `data:${block.mimeType};base64,${block.data}`;
  return { uri, mimeType: block.mimeType };
}

function failure(result: CallToolResult): Error {
  const error = record(result._meta?.['dev.chaperone/error']);
  const code = error?.['code'];
  if (error === null || !isErrorCode(code))
    return new GabpFault(GABP_ERRORS.toolFailed, saidOrFailed(joinText(result.content)));
  const text = error['message'];
  return new WireError(
    code,
    verbatim(typeof text === 'string' ? text : joinText(result.content)),
    record(error['details']) ?? {},
    error['retryable'] === true,
  );
}

const saidOrFailed = (said: string): Message => (said === '' ? message('gabp.tool_failed') : verbatim(said));

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERRORS, code);
}

function joinText(content: ContentBlock[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function record(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
}
