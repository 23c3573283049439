/** `chaperone call`: one tool call from a script. It waits as long as the person takes; Ctrl-C leaves the call to the host. */
import { createShimCalls } from '../shim/calls.js';
import type { HostToolResult } from '../shim/results.js';
import { EXIT, Failure } from './failure.js';
import { method } from './method.js';
import { openLink } from './running.js';

/** Milliseconds: the longest a timer takes, about 24 days. */
const FOR_EVER = 2 ** 31 - 1;

export async function call(tool: string, options: { args: string; json?: boolean }): Promise<void> {
  const args = parseArguments(options.args);
  if (tool.startsWith('desktop.')) return method(tool, args);
  const stop = new AbortController();
  let url: string | null = null;
  const link = openLink(
    (channel, payload) => channel === 'call/progress' && calls.progress(payload),
    (found) => (url = found),
  );
  const calls = createShimCalls({ link, url: () => url, detachTimeoutMs: 1_000 });
  const leave = (): void => stop.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, leave);
  try {
    const onProgress = (state: { state: string; message: string }) =>
      process.stderr.write(`${state.state}: ${state.message}${whereTo(state.state, url)}\n`);
    const result = await calls.call(tool, args, { limitMs: FOR_EVER, signal: stop.signal, onProgress });
    process.stdout.write(options.json === true ? `${JSON.stringify(result, null, 2)}\n` : text(result));
    if (result.isError === true || stop.signal.aborted) process.exitCode = EXIT.failed;
  } finally {
    link.close();
  }
}

function whereTo(state: string, url: string | null): string {
  return state === 'awaiting_human' && url !== null ? ` Answer at ${url}` : '';
}

export function parseArguments(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Told below, as for any other text that is no object.
  }
  throw new Failure(`--args must be a JSON object, for example '{"x": 10, "y": 20}'; this is not: ${text}`, EXIT.usage);
}

function text(result: HostToolResult): string {
  const blocks = result.content.map((block) =>
    typeof block['text'] === 'string' ? block['text'] : `[${block.type}; --json prints it]`,
  );
  const structured = result.structuredContent === undefined ? [] : [JSON.stringify(result.structuredContent, null, 2)];
  return `${[...blocks, ...structured].join('\n')}\n`;
}
