/** `chaperone pair`: prints a pairing link for a person at a terminal. The host also checks with the kernel that no agent started this process. */
import { createInterface } from 'node:readline/promises';
import * as z from 'zod';
import { message, type Formatter } from '../../messages/index.js';
import { Failure, EXIT, print } from './failure.js';
import { doubtSchema, doubtText } from '../protocol/index.js';
import { withHost } from './host-client.js';

const statusSchema = z.looseObject({ doubt: doubtSchema.optional() });
const pairedSchema = z.looseObject({ link: z.url(), confirm: z.enum(['page', 'popover']).nullable().default(null) });

export async function pair(words: Formatter): Promise<void> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new Failure(message('cli.pair.terminal'), EXIT.usage);
  const status = await withHost(async (session) => statusSchema.parse(await session.request('admin/status', {})));
  if (status.doubt !== undefined) throw new Failure(message('error.only_person', { why: doubtText(status.doubt) }));
  if (!(await confirmed(words))) throw new Failure(message('cli.pair.declined'));
  const { link, confirm } = await withHost(async (session) =>
    pairedSchema.parse(await session.request('admin/pair', {})),
  );
  print(words.text('cli.pair.open', { link }));
  if (confirm !== null) print(words.text(CONFIRM[confirm]));
}

const CONFIRM = { page: 'cli.pair.confirm_in_page', popover: 'cli.pair.confirm_in_popover' } as const;

async function confirmed({ text }: Formatter): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await terminal.question(`${text('cli.pair.ask')} `);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
