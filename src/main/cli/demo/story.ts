/** What the demo agent does: it asks, takes each answer as it comes, and tells at the end what it got. It never asks twice for the same. */
import * as z from 'zod';
import type { AgentClient } from './client.js';
import { useApplication } from './application.js';
import { line, metaSchema, textOf } from './telling.js';
import type { DemoWords } from './words.js';

/** Points. */
const ASIDE = 50;

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

/** It waits for as long as the person takes. `real`: on a desktop with applications, where it uses a small one. */
export async function tellStory(client: AgentClient, words: DemoWords, real: boolean): Promise<void> {
  const hello = [words.hello, real ? words.asksReal : words.asksPretend, words.shall].join('\n\n');
  // Whatever else was written may mean anything, so it is no Yes.
  if ((await ask(client, hello, [words.begin, words.no])).trim() !== words.begin) {
    await ask(client, words.declined, [words.done]);
    return;
  }
  const patient = { ...client, call: patientCall(client, words) };
  const seen = await picture(patient, words);
  const used = real ? await useApplication(patient, words) : null;
  const lines = [seen, ...(used ?? [await pointer(patient, words)])];
  const why = real ? (used === null ? [words.noApplication] : []) : [words.pretend];
  await ask(client, [words.that, lines.join('\n'), ...why, words.end].join('\n\n'), [words.done]);
}

async function ask(client: AgentClient, text: string, replies: string[]): Promise<string> {
  const result = await client.call('send_message', { text, quick_replies: replies });
  if (result.isError) throw new Error(textOf(result));
  return replySchema.parse(result.structuredContent).reply;
}

/** A card ends after some minutes, a question does not: whoever comes back late is asked whether to ask again. */
function patientCall(client: AgentClient, words: DemoWords): AgentClient['call'] {
  return async (name, args) => {
    for (;;) {
      const result = await client.call(name, args);
      const error = metaSchema.parse(result._meta)['dev.chaperone/error'];
      if (error?.details.reason !== 'timeout') return result;
      if ((await ask(client, words.late, [words.again, words.no])).trim() !== words.again) return result;
    }
  };
}

async function picture(client: AgentClient, words: DemoWords): Promise<string> {
  const result = await client.call('capture_screenshot', {});
  const image = metaSchema.parse(result._meta)['dev.chaperone/value']?.image;
  const got = image === undefined ? textOf(result) : words.gotPicture(`${image.width} × ${image.height}`);
  return line(client, words, words.picture, result, got);
}

async function pointer(client: AgentClient, words: DemoWords): Promise<string> {
  const seen = await client.call('list_displays', {});
  const displays = displaysSchema.safeParse(seen.structuredContent).data?.displays ?? [];
  const frame = (displays.find(({ main }) => main) ?? displays[0])?.frame;
  if (frame === undefined) return line(client, words, words.pointer, seen, words.nowhere);
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
  return line(client, words, words.pointer, result, words.moved(place, moved?.effect === 'confirmed'));
}
