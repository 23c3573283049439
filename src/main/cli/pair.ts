/** `chaperone pair`: prints a pairing link for a person at a terminal. The host also checks with the kernel that no agent started this process. */
import { createInterface } from 'node:readline/promises';
import * as z from 'zod';
import { formatEnglish, inEnglish, message } from '../../messages/index.js';
import { Failure, EXIT } from './failure.js';
import { withHost } from './host-client.js';
import { print } from './output.js';

const pairedSchema = z.looseObject({ link: z.url(), confirm: z.enum(['page', 'popover']).nullable().default(null) });

export async function pair(): Promise<void> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new Failure(message('cli.pair.terminal'), EXIT.usage);
  if (!(await confirmed())) throw new Failure(message('cli.pair.declined'));
  const { link, confirm } = await withHost(async (session) =>
    pairedSchema.parse(await session.request('admin/pair', {})),
  );
  print(inEnglish.text('cli.pair.open', { link }));
  if (confirm !== null) print(formatEnglish(CONFIRM[confirm]));
}

const CONFIRM = {
  page: message('cli.pair.confirm_in_page'),
  popover: message('cli.pair.confirm_in_popover'),
};

async function confirmed(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await terminal.question(`${inEnglish.text('cli.pair.ask')} `);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
