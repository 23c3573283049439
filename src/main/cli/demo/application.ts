/** The demo with a real application: opens a small installed one, and does one thing in it that can be undone. */
import * as z from 'zod';
import type { Formatter } from '../../../messages/index.js';
import type { AgentClient, CallResult } from './client.js';
import { escapeMarkdown, resultLine, resultMetaSchema } from './result-line.js';

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
export async function useApplication(client: AgentClient, words: Formatter): Promise<string[] | null> {
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
