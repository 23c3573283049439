/** `chaperone apps`: the GABP applications of `gabp-apps.json`. A new or changed entry is confirmed in the page or popover. */
import * as z from 'zod';
import type { Formatter } from '../../messages/index.js';
import { doubtSchema } from '../protocol/index.js';
import { countsOnly } from './approvals.js';
import { withHost } from './host-client.js';
import { print, printJson, terminalSafe } from './output.js';

const appSchema = z.looseObject({
  name: z.string(),
  state: z.enum(['asking', 'starting', 'connected', 'waiting', 'stopped']),
  place: z.string(),
  confirmed: z.boolean(),
  claim: z.string().nullable(),
  tools: z.number().int(),
});
const listSchema = z.looseObject({
  apps: z.array(appSchema),
  others: z.number().int().default(0),
  doubt: doubtSchema.optional(),
});
const logSchema = z.looseObject({ lines: z.array(z.looseObject({ at: z.string(), text: z.string() })) });

export async function list(options: { json?: boolean }, words: Formatter): Promise<void> {
  const answer = await withHost((session) => session.request('admin/apps', {}));
  if (options.json === true) return printJson(answer);
  const { apps, others, doubt } = listSchema.parse(answer);
  const known = apps.map(({ name, state, place, confirmed, claim, tools }) =>
    words.text('cli.apps.app', {
      name,
      state: state === 'stopped' ? 'other' : state,
      place: terminalSafe(place),
      confirmed: confirmed ? 'yes' : 'other',
      claim: terminalSafe(claim ?? ''),
      known: claim === null ? 'other' : 'yes',
      tools,
    }),
  );
  const more = others === 0 ? [] : [words.text('cli.apps.others', { count: others }), ...countsOnly(words, doubt)];
  const lines = [...known, ...more];
  print(lines.length === 0 ? words.text('cli.apps.none') : lines.join('\n'));
}

export async function start(name: string, { text }: Formatter): Promise<void> {
  await withHost(async (session) => {
    const { apps } = listSchema.parse(await session.request('admin/apps', {}));
    if (apps.find((app) => app.name === name)?.confirmed === false) print(text('cli.apps.confirm', { name }));
    await session.request('admin/apps/start', { name });
  });
  print(text('cli.apps.started', { name }));
}

export async function stop(name: string, { text }: Formatter): Promise<void> {
  await withHost((session) => session.request('admin/apps/stop', { name }));
  print(text('cli.apps.stopped', { name }));
}

export async function log(name: string): Promise<void> {
  const answer = await withHost((session) => session.request('admin/apps/log', { name }));
  print(
    logSchema
      .parse(answer)
      .lines.map(({ at, text }) => `${at}  ${terminalSafe(text)}`)
      .join('\n'),
  );
}
