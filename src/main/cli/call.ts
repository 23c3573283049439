/** `chaperone call`: one tool call from a script. Waits as long as the person takes; Ctrl-C detaches the call, which the host keeps. */
import { randomBytes, randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import * as z from 'zod';
import { isRecord } from '../../base/type-guards.js';
import { verbatim, message, type Formatter } from '../../messages/index.js';
import {
  callIdOf,
  isPending,
  pendingResult,
  toolResultSchema,
  type CallState,
  type HostToolResult,
} from '../mcp/results.js';
import { WireError, callTimesSchema } from '../protocol/index.js';
import type { Profile } from '../protocol/pipe.js';
import { createShim } from '../shim/index.js';
import { Failure, EXIT, print, printJson } from './failure.js';
import { connectHost, hostConnection } from './host-client.js';
import { stderrLog } from './logging.js';
import { closestName } from '../protocol/input-errors.js';
import { Refused, readJson } from '../protocol/json.js';
import { Unreadable, type Transport } from '../protocol/transport.js';
import { RUNNING } from '../protocol/local-command.js';
import { requestService } from '../transport/xpc-client.js';

// The command line as an agent: one request of MCP through a shim in this process, which starts the host and repeats what it must. Called by call and tools.

/** The longest a timer takes, about 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** Of the only request. */
const ID = 1;

export interface OwnAgent {
  /** Of the call that the request makes. */
  callId: string;
  /** Address of the page, once known. */
  url(): string | null;
  /** The result of its only request. Rejects with what a protocol error says. */
  request(method: string, params: Record<string, unknown>, onProgress: (message: string) => void): Promise<unknown>;
  close(): Promise<void>;
}

export function openOwnAgent(profile: Profile = 'full'): OwnAgent {
  const [input, output, notices] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const session = randomBytes(32).toString('hex');
  const host = hostConnection('chaperone-call');
  let url: string | null = null;
  notices.on('data', (line) => (url = String(line).trim()));
  const shim = createShim({
    ...{ input, output, notices, host, profile, session },
    claim: `${host.name} ${host.version}`,
    cwd: process.cwd(),
    callLimit: MAX_TIMER_MS,
    log: stderrLog(),
  });
  return {
    callId: callIdOf(session, 1, ID),
    url: () => url,
    request: (method, params, onProgress) =>
      new Promise((resolve, reject) => {
        createInterface({ input: output }).on('line', (line) => {
          const message: unknown = JSON.parse(line);
          const { id, result, error, params: told } = isRecord(message) ? message : {};
          if (id === undefined && isRecord(told) && typeof told['message'] === 'string') onProgress(told['message']);
          if (id !== ID) return;
          if (isRecord(error)) reject(failureOf(String(error['message'])));
          else resolve(result);
        });
        const meta = { progressToken: ID };
        input.write(`${JSON.stringify({ jsonrpc: '2.0', id: ID, method, params: { ...params, _meta: meta } })}\n`);
      }),
    close: shim.close,
  };
}

/** What a protocol error says. The names of all tools are for agents. */
function failureOf(said: string): Error {
  const [problem = '', names] = said.split(' Use one of: ');
  if (names === undefined) return new Failure(verbatim(said));
  return new WireError('DESKTOP_INVALID_REQUEST', verbatim(problem), { reason: 'unknown_tool' });
}

// Calls one `desktop.*` method by JSON-RPC on the host's socket, as scripts do.

const DEFAULT_TIMEOUT_MS = 120_000;
const ANSWER_MS = 5_000;

const answerSchema = z.union([
  z.object({ result: z.unknown() }),
  z.object({ error: z.object({ code: z.string(), message: z.string(), details: z.object({ next: z.string() }) }) }),
]);

/** Adds the required `meta` fields that the caller has not given. Prints the result; fails with the method's code, message and next step. */
async function callMethod(name: string, given: Record<string, unknown>, service = false): Promise<void> {
  const givenMeta = z.record(z.string(), z.unknown()).catch({}).parse(given['meta']);
  const meta = {
    schemaVersion: 1,
    requestId: randomUUID(),
    workspacePath: process.cwd(),
    timeoutMs: DEFAULT_TIMEOUT_MS,
    ...givenMeta,
  };
  const envelope = { jsonrpc: '2.0', id: randomUUID(), method: name, params: { ...given, meta } };
  const answer = service ? await serviceAnswer(envelope, meta.timeoutMs) : await request(envelope);
  if ('error' in answer) {
    const { code, message: why, details } = answer.error;
    const next = why.endsWith(details.next) ? [] : [details.next];
    throw new Failure(verbatim([`${code}: ${why}`, ...next].join('\n')));
  }
  printJson(answer.result);
}

/** A little longer than the method may take, so that its own answer comes first. */
async function serviceAnswer(envelope: object, timeoutMs: number): Promise<z.infer<typeof answerSchema>> {
  return answerSchema.parse(await requestService(envelope, timeoutMs + ANSWER_MS));
}

async function request(envelope: object): Promise<z.infer<typeof answerSchema>> {
  const transport = await open();
  try {
    return await new Promise((resolve, reject) => {
      transport.onMessage((answer) => resolve(answerSchema.parse(answer)));
      transport.onClose((reason) =>
        reject(
          new Failure(message('cli.connection_ended', { known: reason === null ? 'other' : 'yes', why: reason ?? '' })),
        ),
      );
      transport.send(envelope).catch(reject);
    });
  } finally {
    transport.close();
  }
}

/** Starts a host where none runs, as tool calls do. */
async function open(): Promise<Transport> {
  const host = hostConnection('chaperone-call');
  const session = await connectHost(host, true, new AbortController().signal);
  session?.close();
  const found = await host.find();
  if (found === null) throw new Failure(message('cli.no_host'), EXIT.noHost);
  return found.open();
}

interface Flags {
  args?: string;
  json?: boolean;
  timing?: boolean;
  service?: boolean;
}

export async function call(tool: string, given: string | undefined, options: Flags, words: Formatter): Promise<void> {
  if (given !== undefined && options.args !== undefined)
    throw new Failure(message('cli.call.arguments_twice'), EXIT.usage);
  const args = parseArguments(given ?? options.args ?? '{}');
  if (tool.startsWith('desktop.')) {
    if (options.timing === true) throw new Failure(message('cli.call.timing_for_tools'), EXIT.usage);
    return callMethod(tool, args, options.service);
  }
  if (options.service === true) throw new Failure(message('cli.call.service_for_methods'), EXIT.usage);
  const agent = openOwnAgent();
  let state: CallState = { state: 'queued', message: 'sent to the host' };
  const stop = new Promise<null>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(null));
  });
  try {
    const onProgress = (said: string) => {
      state = stateOf(said);
      const line = progressLine(state, agent.url(), words);
      if (line !== null) process.stderr.write(`${line}\n`);
    };
    const answer = await Promise.race([agent.request('tools/call', { name: tool, arguments: args }, onProgress), stop]);
    const given =
      answer === null ? pendingResult(agent.callId, tool, state, agent.url()) : toolResultSchema.parse(answer);
    const result = isPending(given) ? unfinished(given, agent.url(), words) : given;
    if (options.json === true) printJson(result);
    else if (result.isError === true || result !== given)
      process.stderr.write(`${formatBlocks(result, words).join('\n')}\n`);
    else print(formatResult(result, words));
    if (options.timing === true) process.stderr.write(timing(result, words));
    if (result.isError === true || answer === null) process.exitCode = EXIT.failed;
  } finally {
    await agent.close();
  }
}

const stateSchema = z.enum(['queued', 'awaiting_human', 'running']);

/** As MCP's progress says it: the state, and in words. */
function stateOf(said: string): CallState {
  const [state = '', ...words] = said.split(': ');
  return { state: stateSchema.catch('running').parse(state), message: words.join(': ') };
}

const metaSchema = z.object({ 'dev.chaperone/call': z.object({ timing: callTimesSchema }) });

function timing(result: HostToolResult, { text }: Formatter): string {
  const times = metaSchema.safeParse(result['_meta']).data?.['dev.chaperone/call'].timing;
  if (times === undefined) return `${text('cli.call.no_times')}\n`;
  const lines = [
    ...times.stages.map(({ stage, ms }) => [stage, ms, ''] as const),
    [text('cli.call.in_all'), times.totalMs, ''] as const,
    ...times.desktop.map(
      ({ method, calls: count, ms }) => [method, ms, ` ${text('cli.call.in_calls', { count })}`] as const,
    ),
  ];
  return lines.map(([name, ms, more]) => `${name.padEnd(20)} ${ms.toFixed(1).padStart(8)} ms${more}\n`).join('');
}

/** A handle as the person reads it: commands cannot resume a call, but the same one, made again, joins the request that waits. */
function unfinished(handle: HostToolResult, url: string | null, words: Formatter): HostToolResult {
  const asks = handle.structuredContent?.['state'] === 'awaiting_human';
  const at = { known: url === null ? 'other' : 'yes', url: url ?? '' } as const;
  const next = words.text(asks ? 'cli.call.unanswered' : 'cli.call.continues', at);
  return { content: [{ type: 'text', text: next }], structuredContent: { ...handle.structuredContent, next } };
}

/** What the host says of a waiting call is for agents; here the person reads it. Null: nothing that a person needs to read. */
function progressLine(
  call: { state: string; message: string },
  url: string | null,
  { text }: Formatter,
): string | null {
  if (call.state === 'running' && call.message === RUNNING) return null;
  if (call.state !== 'awaiting_human' || url === null) return `${call.state}: ${call.message}`;
  return text('cli.call.answer_at', { url });
}

export function parseArguments(text: string): Record<string, unknown> {
  const value = readJson(text);
  if (value instanceof Refused) throw new Failure(value.error.text, EXIT.usage);
  if (isRecord(value) && !(value instanceof Unreadable)) return { ...value };
  throw new Failure(message('cli.bad_arguments', { example: `'{"x": 10, "y": 20}'`, text }), EXIT.usage);
}

function formatResult(result: HostToolResult, words: Formatter): string {
  const structured = result.structuredContent === undefined ? [] : [JSON.stringify(result.structuredContent, null, 2)];
  return [...formatBlocks(result, words), ...structured].join('\n');
}

const formatBlocks = ({ content }: HostToolResult, { text }: Formatter): string[] =>
  content.map((block) =>
    typeof block['text'] === 'string' ? block['text'] : text('cli.call.block', { type: block.type }),
  );

// `chaperone tools`: lists the tools of the running host, or shows one with its arguments.

const toolSchema = z.looseObject({
  name: z.string(),
  description: z.string().default(''),
  inputSchema: z.looseObject({
    properties: z.record(z.string(), z.looseObject({ description: z.string().optional() })).default({}),
    required: z.array(z.string()).default([]),
  }),
});
type Tool = z.infer<typeof toolSchema>;

export async function tools(
  name: string | undefined,
  options: { profile: 'full' | 'core'; json?: boolean },
  words: Formatter,
): Promise<void> {
  const agent = openOwnAgent(options.profile);
  try {
    const answer = await agent.request('tools/list', {}, () => undefined);
    const { tools: all } = z.object({ tools: z.array(toolSchema) }).parse(answer);
    const shown = name === undefined ? all : [findTool(all, name)];
    if (options.json === true) printJson(shown);
    else if (name === undefined) print(table(all.map((one) => [one.name, one.description])));
    else print(shown.map((one) => describeTool(one, words)).join('\n'));
  } finally {
    await agent.close();
  }
}

function findTool(all: readonly Tool[], name: string): Tool {
  const found = all.find((one) => one.name === name);
  if (found !== undefined) return found;
  const near = closestName(
    name,
    all.map((one) => one.name),
  );
  throw new Failure(
    message('cli.tools.none', { name, known: near === null ? 'other' : 'near', near: near ?? '' }),
    EXIT.usage,
  );
}

function describeTool({ name, description, inputSchema: { properties, required } }: Tool, { text }: Formatter): string {
  const rows = Object.entries(properties).map(
    ([argument, { type, enum: values, default: usual, description: what }]) => [
      argument,
      [
        Array.isArray(values) ? values.join(' | ') : String(type ?? ''),
        required.includes(argument) ? text('cli.tools.required') : '',
        usual === undefined ? '' : text('cli.tools.default', { value: JSON.stringify(usual) }),
        what ?? '',
      ]
        .filter((part) => part !== '')
        .join('; '),
    ],
  );
  return [`${name}: ${description}`, ...(rows.length === 0 ? [] : ['', table(rows)])].join('\n');
}

const table = (rows: readonly string[][]): string =>
  rows.map(([name = '', what = '']) => `${name.padEnd(28)}  ${what}`).join('\n');
