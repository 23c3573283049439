/** `chaperone demo-agent`: the demo agent, which the host starts for a page. It connects through a shim of its own, like any other agent. */
import { formatterFor } from '../../messages/catalogues.js';
import { type Language, type Formatter, message, type Message } from '../../messages/index.js';
import { DEMO_STOPPED } from '../protocol/index.js';
import { ownLauncher } from './launcher.js';
import { stdinOrSignalEnd } from './failure.js';
import * as z from 'zod';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Launcher } from '../setup/index.js';
import { VERSION } from '../protocol/local-command.js';

const PROTOCOL = '2025-06-18';
/** The maximum. The demo resumes a call that takes longer. */
const CALL_LIMIT_SECONDS = '86400';

const messageSchema = z.looseObject({
  id: z.union([z.number(), z.string()]).optional(),
  result: z.unknown(),
  error: z.looseObject({ message: z.string() }).optional(),
});

const resultSchema = z.looseObject({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).default([]),
  structuredContent: z.looseObject({}).optional(),
  isError: z.boolean().default(false),
  _meta: z.looseObject({}).default({}),
});
const waitingSchema = z.looseObject({ status: z.literal('awaiting_human'), callId: z.string() });
/** An MCP client over a shim of its own, with only what the demo needs. */
export type CallResult = z.infer<typeof resultSchema>;

export interface AgentClient {
  /** Rejects only when there is no answer: a tool's failure is a result. */
  call(name: string, args: Record<string, unknown>): Promise<CallResult>;
  /** The address of the page, once known. */
  url(): string | null;
  /** Rejects when the shim has ended. */
  readonly lost: Promise<never>;
  close(): Promise<void>;
}

/** Resolves once the host has answered. */
async function openClient({ command, args }: Launcher): Promise<AgentClient> {
  const shim = spawn(command, [...args, '--call-limit', CALL_LIMIT_SECONDS], { stdio: ['pipe', 'pipe', 'pipe'] });
  let url: string | null = null;
  createInterface({ input: shim.stderr }).on(
    'line',
    (line) => (url = /^http:\/\/localhost:\d+$/.exec(line)?.[0] ?? url),
  );
  const pending = new Map<number, { resolve(result: unknown): void; reject(reason: Error): void }>();
  let lastId = 0;

  const ended = new Promise<void>((resolve) => shim.on('close', () => resolve()).on('error', () => resolve()));
  const lost = ended.then((): never => {
    throw new Error('Chaperone went away.');
  });
  lost.catch((reason: Error) => {
    for (const { reject } of pending.values()) reject(reason);
    pending.clear();
  });
  shim.stdin.on('error', () => undefined);
  createInterface({ input: shim.stdout }).on('line', (line) => {
    const { id, result, error } = messageSchema.parse(JSON.parse(line));
    const request = typeof id === 'number' ? pending.get(id) : undefined;
    if (request === undefined || typeof id !== 'number') return;
    pending.delete(id);
    if (error === undefined) request.resolve(result);
    else request.reject(new Error(error.message));
  });

  const write = (message: object) => void shim.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const send = (method: string, params: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      lastId += 1;
      pending.set(lastId, { resolve, reject });
      write({ id: lastId, method, params });
    });
  const close = async () => {
    shim.kill('SIGKILL');
    await ended;
  };

  try {
    const clientInfo = { name: 'chaperone-demo', version: VERSION };
    await send('initialize', { protocolVersion: PROTOCOL, capabilities: {}, clientInfo });
    write({ method: 'notifications/initialized' });
  } catch (error) {
    await close();
    throw error;
  }
  const call = async (name: string, args: Record<string, unknown>): Promise<CallResult> =>
    resultSchema.parse(await send('tools/call', { name, arguments: args }));
  return {
    async call(name, args) {
      let result = await call(name, args);
      for (;;) {
        const waits = waitingSchema.safeParse(result.structuredContent);
        if (!waits.success) return result;
        result = await call('resume_call', { call_id: waits.data.callId });
      }
    },
    url: () => url,
    lost,
    close,
  };
}

export async function demoAgent({ language, real = false }: { language: Language; real?: boolean }): Promise<void> {
  const client = await openClient(ownLauncher());
  // The host keeps the other end of stdin open while it runs.
  process.stdin.resume();
  const finished = await Promise.race([
    runDemo(client, formatterFor([language]), real).then(() => true),
    client.lost,
    stdinOrSignalEnd().then(() => false),
  ]).finally(client.close);
  process.exit(finished ? 0 : DEMO_STOPPED);
}

// What the demo agent does: it requests a few things and reports at the end what it got. It never repeats a request
// that was denied.

// The lines in which the demo reports what it got, or why it got nothing.

const errorSchema = z.looseObject({
  code: z.string(),
  message: z.string(),
  details: z.looseObject({ reason: z.string().optional(), message: z.string().optional() }),
});
const resultMetaSchema = z.looseObject({
  'dev.chaperone/call': z
    .looseObject({ executionId: z.string().optional(), evidence: z.string().optional() })
    .optional(),
  'dev.chaperone/error': errorSchema.optional(),
  'dev.chaperone/value': z.looseObject({ image: z.looseObject({ width: z.number(), height: z.number() }) }).optional(),
});

/** A Markdown list item: `text`, or why the call failed, with the person's message and where its pictures are. */
function resultLine(client: AgentClient, words: Formatter, title: string, result: CallResult, text: string): string {
  const { 'dev.chaperone/call': call, 'dev.chaperone/error': error } = resultMetaSchema.parse(result._meta);
  const page = call?.evidence === undefined ? null : evidenceUrl(client.url(), call.executionId);
  const reply = error?.details.reason === 'denied' ? error.details.message : undefined;
  const sentences = [
    result.isError ? failureReason(words, result, error) : text,
    ...(reply === undefined ? [] : [words.text('demo.said', { message: escapeMarkdown(reply) })]),
    ...(page === null ? [] : [words.text('demo.before_after', { page })]),
  ];
  return `- **${title}:** ${sentences.join(' ')}`;
}

const REASONS: ReadonlyMap<string, Message> = new Map([
  ['denied', message('demo.denied')],
  ['timeout', message('demo.timeout')],
  ['policy', message('demo.policy')],
  ['paused', message('demo.paused')],
  ['protected', message('demo.nowhere')],
]);

function failureReason(words: Formatter, result: CallResult, error: z.infer<typeof errorSchema> | undefined): string {
  if (error?.code === 'DESKTOP_ABORTED') return words.text('demo.stopped');
  const known = REASONS.get(error?.details.reason ?? '');
  return words.format(known ?? message('demo.failed', { why: error?.message ?? resultText(result) }));
}

function evidenceUrl(url: string | null, executionId: string | undefined): string | null {
  return url === null || executionId === undefined ? null : `${url}/#/evidence/${executionId}`;
}

const resultText = ({ content }: CallResult): string => content.map(({ text = '' }) => text).join('\n');

const escapeMarkdown = (text: string): string =>
  text
    .slice(0, 300)
    .replaceAll(/[\\`*_[\]<>#~|!]/g, '\\$&')
    .replaceAll(/\s+/g, ' ');

// The demo with a real application: opens a small installed one, and does one thing in it that can be undone.

interface DemoApplication {
  ids: readonly string[];
  act(client: AgentClient, name: string, words: Formatter): Promise<CallResult>;
}

const SEVEN = '7';

/** The first one that is installed is used. */
const APPLICATIONS: readonly DemoApplication[] = [
  {
    ids: [
      'galculator',
      'gnome-calculator',
      'org.gnome.Calculator',
      'mate-calc',
      'kcalc',
      'org.kde.kcalc',
      'com.apple.calculator',
    ],
    act: pressSeven,
  },
  {
    ids: ['mousepad', 'gedit', 'org.gnome.TextEditor', 'gnome-text-editor', 'pluma', 'kwrite', 'com.apple.textedit'],
    act: (client, name, words) => client.call('type_text', { application: name, text: words.text('demo.typed') }),
  },
];

/** Types the digit where the calculator's buttons have no names. */
async function pressSeven(client: AgentClient, name: string): Promise<CallResult> {
  const pressed = await client.call('click_element', { parent: name, title: SEVEN });
  const reason = resultMetaSchema.parse(pressed._meta)['dev.chaperone/error']?.details.reason;
  const unnamed = reason === 'no_match' || reason === 'ambiguous';
  return unnamed ? client.call('type_text', { application: name, text: SEVEN }) : pressed;
}

const openedSchema = z.looseObject({ name: z.string(), display_name: z.string() });
const effectSchema = z.looseObject({ effect: z.string() });

/** The lines for the person; null where none of the applications is installed. */
async function useApplication(client: AgentClient, words: Formatter): Promise<string[] | null> {
  for (const { ids, act } of APPLICATIONS) {
    for (const id of ids) {
      const result = await client.call('open_application', { application_id: id });
      if (resultMetaSchema.parse(result._meta)['dev.chaperone/error']?.details.reason === 'no_such_application')
        continue;
      const opened = openedSchema.safeParse(result.structuredContent).data;
      const app = escapeMarkdown(opened?.display_name ?? id);
      const first = resultLine(client, words, words.text('demo.opening', { app }), result, words.text('demo.opened'));
      if (result.isError || opened === undefined) return [first];
      const done = await act(client, opened.name, words);
      return [first, resultLine(client, words, words.text('demo.using', { app }), done, changeOf(done, words))];
    }
  }
  return null;
}

function changeOf({ structuredContent }: CallResult, words: Formatter): string {
  const { effect } = effectSchema.safeParse(structuredContent).data ?? {};
  return words.text('demo.changed', { checked: effect === 'confirmed' ? 'yes' : 'other' });
}

const POINTER_OFFSET_POINTS = 50;

const replySchema = z.looseObject({ reply: z.string() });
const displaysSchema = z.looseObject({
  displays: z.array(
    z.looseObject({
      main: z.boolean(),
      frame: z.looseObject({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
    }),
  ),
});
const pointSchema = z.looseObject({ x: z.number(), y: z.number() });
const movedSchema = z.looseObject({ point: pointSchema, effect: z.string() });

/** Waits as long as the person takes. `real`: on a desktop with applications, where it uses a small one. */
export async function runDemo(client: AgentClient, words: Formatter, real: boolean): Promise<void> {
  await talk(client, words, real);
  // The host counts a reply as delivered only when the agent makes another call.
  await client.call('check_replies', {});
}

async function talk(client: AgentClient, words: Formatter, real: boolean): Promise<void> {
  const hello = [
    words.text('demo.hello'),
    words.text(real ? 'demo.asks_real' : 'demo.asks_pretend'),
    words.text('demo.shall_i_begin'),
  ].join('\n\n');
  const begin = words.text('demo.begin');
  const done = words.text('demo.done');
  // Any other reply may mean anything, so it is no consent.
  if ((await ask(client, hello, [begin, words.text('demo.no')])).trim() !== begin) {
    await ask(client, words.text('demo.declined'), [done]);
    return;
  }
  const retrying = { ...client, call: retryAfterTimeout(client, words) };
  const picture = await takePicture(retrying, words);
  const used = real ? await useApplication(retrying, words) : null;
  const lines = [picture, ...(used ?? [await movePointer(retrying, words)])];
  const why = real ? (used === null ? [words.text('demo.no_application')] : []) : [words.text('demo.pretend')];
  await ask(client, [words.text('demo.results'), lines.join('\n'), ...why, words.text('demo.end')].join('\n\n'), [
    done,
  ]);
}

async function ask(client: AgentClient, text: string, replies: string[]): Promise<string> {
  const result = await client.call('send_message', { text, quick_replies: replies });
  if (result.isError) throw new Error(resultText(result));
  return replySchema.parse(result.structuredContent).reply;
}

/** A card expires after some minutes, a question does not: the person is asked whether to make an expired request again. */
function retryAfterTimeout(client: AgentClient, words: Formatter): AgentClient['call'] {
  const again = words.text('demo.ask_again');
  return async (name, args) => {
    for (;;) {
      const result = await client.call(name, args);
      const error = resultMetaSchema.parse(result._meta)['dev.chaperone/error'];
      if (error?.details.reason !== 'timeout') return result;
      if ((await ask(client, words.text('demo.late'), [again, words.text('demo.no')])).trim() !== again) return result;
    }
  };
}

async function takePicture(client: AgentClient, words: Formatter): Promise<string> {
  const result = await client.call('capture_screenshot', {});
  const image = resultMetaSchema.parse(result._meta)['dev.chaperone/value']?.image;
  const text =
    image === undefined
      ? resultText(result)
      : words.text('demo.got_picture', { width: image.width, height: image.height });
  return resultLine(client, words, words.text('demo.picture'), result, text);
}

async function movePointer(client: AgentClient, words: Formatter): Promise<string> {
  const title = words.text('demo.pointer');
  const seen = await client.call('list_displays', {});
  const displays = displaysSchema.safeParse(seen.structuredContent).data?.displays ?? [];
  const frame = (displays.find(({ main }) => main) ?? displays[0])?.frame;
  if (frame === undefined) return resultLine(client, words, title, seen, words.text('demo.nowhere'));
  const { x, y, width, height } = frame;
  const middle = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
  const now = pointSchema.safeParse((await client.call('cursor_position', {})).structuredContent).data ?? {
    x: 0,
    y: 0,
  };
  const inMiddle = Math.hypot(now.x - middle.x, now.y - middle.y) < POINTER_OFFSET_POINTS;
  // The move must be large enough to be seen.
  const to = inMiddle ? { ...middle, x: middle.x + 2 * POINTER_OFFSET_POINTS } : middle;
  const result = await client.call('mouse_move', { ...to, smooth: true });
  const moved = movedSchema.safeParse(result.structuredContent).data;
  const place = moved === undefined ? '' : `(${Math.round(moved.point.x)}, ${Math.round(moved.point.y)})`;
  const checked = moved?.effect === 'confirmed' ? 'yes' : 'other';
  return resultLine(client, words, title, result, words.text('demo.moved', { place, checked }));
}
