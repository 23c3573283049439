/** `chaperone call`: one tool call from a script. Waits as long as the person takes; Ctrl-C detaches the call, which the host keeps. */
import * as z from 'zod';
import { callTimesSchema } from '../protocol/index.js';
import { createShimCalls } from '../shim/calls.js';
import type { HostToolResult } from '../shim/results.js';
import { EXIT, Failure } from './failure.js';
import { callMethod } from './desktop-method.js';
import { openLink } from './host-client.js';
import { print, printJson } from './output.js';

/** The longest a timer takes, about 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export async function call(tool: string, options: { args: string; json?: boolean; timing?: boolean }): Promise<void> {
  const args = parseArguments(options.args);
  if (tool.startsWith('desktop.')) {
    if (options.timing === true) throw new Failure(METHOD_TIMING, EXIT.usage);
    return callMethod(tool, args);
  }
  const stop = new AbortController();
  let url: string | null = null;
  const link = openLink(
    (channel, payload) => channel === 'call/progress' && calls.progress(payload),
    (found) => (url = found),
  );
  const calls = createShimCalls({ link, url: () => url, detachTimeoutMs: 1_000 });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  try {
    const onProgress = (state: { state: string; message: string }) =>
      process.stderr.write(`${state.state}: ${state.message}${answerHint(state.state, url)}\n`);
    const result = await calls.call(tool, args, { limitMs: MAX_TIMER_MS, signal: stop.signal, onProgress });
    if (options.json === true) printJson(result);
    else print(formatResult(result));
    if (options.timing === true) process.stderr.write(timing(result));
    if (result.isError === true || stop.signal.aborted) process.exitCode = EXIT.failed;
  } finally {
    link.close();
  }
}

const METHOD_TIMING =
  '--timing is for tools, such as click_element. Where a desktop.* method has an evidence folder, its times are the last line of trace.jsonl there.';

const metaSchema = z.object({ 'dev.chaperone/call': z.object({ timing: callTimesSchema }) });

function timing(result: HostToolResult): string {
  const times = metaSchema.safeParse(result['_meta']).data?.['dev.chaperone/call'].timing;
  if (times === undefined) return 'No times: the call has not ended, or it failed.\n';
  const lines = [
    ...times.stages.map(({ stage, ms }) => [stage, ms, ''] as const),
    ['in all', times.totalMs, ''] as const,
    ...times.desktop.map(
      ({ method, calls, ms }) => [method, ms, calls === 1 ? ' in 1 call' : ` in ${calls} calls`] as const,
    ),
  ];
  return lines.map(([name, ms, more]) => `${name.padEnd(20)} ${ms.toFixed(1).padStart(8)} ms${more}\n`).join('');
}

function answerHint(state: string, url: string | null): string {
  return state === 'awaiting_human' && url !== null ? ` Answer at ${url}` : '';
}

export function parseArguments(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Text that is not JSON fails below, like JSON that is not an object.
  }
  throw new Failure(`--args must be a JSON object, for example '{"x": 10, "y": 20}'; this is not: ${text}`, EXIT.usage);
}

function formatResult(result: HostToolResult): string {
  const blocks = result.content.map((block) =>
    typeof block['text'] === 'string' ? block['text'] : `[${block.type}; --json prints it]`,
  );
  const structured = result.structuredContent === undefined ? [] : [JSON.stringify(result.structuredContent, null, 2)];
  return [...blocks, ...structured].join('\n');
}
