/** What the demo agent does: it asks, takes each answer as it comes, and tells at the end what it got. It never asks twice for the same. */
import * as z from 'zod';
import type { AgentClient, CallResult } from './client.js';
import type { DemoWords } from './words.js';

/** How long a question of its own waits for the person. Cards end by themselves. */
const PATIENCE_MS = 10 * 60_000;
/** Points. */
const ASIDE = 50;

const replySchema = z.looseObject({ reply: z.string() });
const errorSchema = z.looseObject({
  code: z.string(),
  message: z.string(),
  details: z.looseObject({ reason: z.string().optional(), message: z.string().optional() }),
});
const metaSchema = z.looseObject({
  'dev.chaperone/call': z.looseObject({ evidence: z.string().optional() }).optional(),
  'dev.chaperone/error': errorSchema.optional(),
  'dev.chaperone/value': z.looseObject({ image: z.looseObject({ width: z.number(), height: z.number() }) }).optional(),
});
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

/** `false`: nobody answered it, so it left before its last sentence. */
export async function tellStory(client: AgentClient, words: DemoWords): Promise<boolean> {
  const answer = await ask(client, words.hello, [words.begin, words.no]);
  if (answer === null) return false;
  // Whatever else was written may mean anything, so it is no Yes.
  if (answer.trim() !== words.begin) return (await ask(client, words.declined, [words.done])) !== null;
  const lines = [await picture(client, words), await pointer(client, words)];
  const summary = [words.that, lines.join('\n'), words.end].join('\n\n');
  return (await ask(client, summary, [words.done])) !== null;
}

async function ask(client: AgentClient, text: string, replies: string[]): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => (timer = setTimeout(resolve, PATIENCE_MS, null)));
  try {
    const result = await Promise.race([client.call('send_message', { text, quick_replies: replies }), late]);
    if (result === null) return null;
    if (result.isError) throw new Error(textOf(result));
    return replySchema.parse(result.structuredContent).reply;
  } finally {
    clearTimeout(timer);
  }
}

async function picture(client: AgentClient, words: DemoWords): Promise<string> {
  const result = await client.call('capture_screenshot', {});
  const image = metaSchema.parse(result._meta)['dev.chaperone/value']?.image;
  const got = image === undefined ? textOf(result) : words.gotPicture(`${image.width} × ${image.height}`);
  return line(words, words.picture, result, got);
}

async function pointer(client: AgentClient, words: DemoWords): Promise<string> {
  const seen = await client.call('list_displays', {});
  const displays = displaysSchema.safeParse(seen.structuredContent).data?.displays ?? [];
  const frame = (displays.find(({ main }) => main) ?? displays[0])?.frame;
  if (frame === undefined) return line(words, words.pointer, seen, words.nowhere);
  const { x, y, width, height } = frame;
  const middle = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
  const now = pointSchema.safeParse((await client.call('cursor_position', {})).structuredContent).data ?? {
    x: 0,
    y: 0,
  };
  const there = Math.hypot(now.x - middle.x, now.y - middle.y) < ASIDE;
  // A move that nobody sees would show nothing.
  const to = there ? { ...middle, x: middle.x + 2 * ASIDE } : middle;
  const result = await client.call('mouse_move', { ...to, smooth: true });
  const moved = movedSchema.safeParse(result.structuredContent).data;
  const place = moved === undefined ? '' : `(${Math.round(moved.point.x)}, ${Math.round(moved.point.y)})`;
  return line(words, words.pointer, result, words.moved(place, moved?.effect === 'confirmed'));
}

/** One line of the list: what it got, or why not. */
function line(words: DemoWords, what: string, result: CallResult, got: string): string {
  const { 'dev.chaperone/call': call, 'dev.chaperone/error': error } = metaSchema.parse(result._meta);
  const folder = call?.evidence;
  const evidence = folder === undefined ? [] : [words.evidence(code(folder))];
  const said = error?.details.message;
  const told = said === undefined || error?.details.reason !== 'denied' ? [] : [words.said(plainly(said))];
  return `- **${what}:** ${[result.isError ? whyNot(words, result, error) : got, ...told, ...evidence].join(' ')}`;
}

function whyNot(words: DemoWords, result: CallResult, error: z.infer<typeof errorSchema> | undefined): string {
  const reason = error?.details.reason;
  const known = new Map(Object.entries(words.refused));
  if (error?.code === 'DESKTOP_ABORTED') return words.refused.stopped;
  if (reason === 'protected') return words.nowhere;
  return known.get(reason ?? '') ?? words.failed(error?.message ?? textOf(result));
}

const textOf = ({ content }: CallResult): string => content.map(({ text = '' }) => text).join('\n');

/** A path may hold any character but these two. */
const code = (path: string): string => `\`${path.replaceAll(/[`\n]/g, '')}\``;

/** What the person wrote, not read as Markdown. */
const plainly = (text: string): string => text.slice(0, 300).replaceAll(/[\\`*_[\]<>#~|!]/g, '\\$&').replaceAll(/\s+/g, ' '); // prettier-ignore
