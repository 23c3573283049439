/** What the demo agent does: it requests a few things and reports at the end what it got. It never repeats a request that was denied. */
import * as z from 'zod';
import type { Formatter } from '../../../messages/index.js';
import type { AgentClient } from './client.js';
import { useApplication } from './application.js';
import { resultLine, resultMetaSchema, resultText } from './result-line.js';

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
