/** The demo with a real application: it opens one that is installed and small, and does one thing in it that can be taken back. */
import * as z from 'zod';
import type { AgentClient, CallResult } from './client.js';
import { line, metaSchema, plainly } from './telling.js';
import type { DemoWords } from './words.js';

interface Small {
  ids: readonly string[];
  act(client: AgentClient, name: string, words: DemoWords): Promise<CallResult>;
}

const SEVEN = '7';

/** The first of each that is installed is used. */
const SMALL: readonly Small[] = [
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
    act: (client, name, words) => client.call('type_text', { application: name, text: words.typed }),
  },
];

/** Not every calculator gives its buttons names. */
async function pressSeven(client: AgentClient, name: string): Promise<CallResult> {
  const pressed = await client.call('click_element', { parent: name, title: SEVEN });
  const reason = metaSchema.parse(pressed._meta)['dev.chaperone/error']?.details.reason;
  const unnamed = reason === 'no_match' || reason === 'ambiguous';
  return unnamed ? client.call('type_text', { application: name, text: SEVEN }) : pressed;
}

const openedSchema = z.looseObject({ name: z.string(), display_name: z.string() });
const effectSchema = z.looseObject({ effect: z.string(), before: z.unknown(), after: z.unknown() });

/** The lines of the list; null where none of them is installed. */
export async function useApplication(client: AgentClient, words: DemoWords): Promise<string[] | null> {
  for (const { ids, act } of SMALL) {
    for (const id of ids) {
      const result = await client.call('open_application', { application_id: id });
      if (metaSchema.parse(result._meta)['dev.chaperone/error']?.details.reason === 'no_such_application') continue;
      const opened = openedSchema.safeParse(result.structuredContent).data;
      const called = plainly(opened?.display_name ?? id);
      const first = line(client, words, words.opening(called), result, words.opened);
      if (result.isError || opened === undefined) return [first];
      const done = await act(client, opened.name, words);
      return [first, line(client, words, words.using(called), done, changeOf(done, words))];
    }
  }
  return null;
}

function changeOf({ structuredContent }: CallResult, words: DemoWords): string {
  const { effect, before, after } = effectSchema.safeParse(structuredContent).data ?? {};
  return words.changed(told(before), told(after), effect === 'confirmed');
}

function told(what: unknown): string {
  const lines = Array.isArray(what) ? what.map(String) : [what === null || what === undefined ? '' : String(what)];
  return plainly(lines.join('; ')) || '–';
}
