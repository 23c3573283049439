/** `chaperone pair`: prints a pairing link for a person at a terminal. The host also checks with the kernel that no agent started this process. */
import { createInterface } from 'node:readline/promises';
import * as z from 'zod';
import { Failure, EXIT } from './failure.js';
import { withHost } from './host-client.js';
import { print } from './output.js';

const pairedSchema = z.looseObject({ link: z.url(), confirm: z.enum(['page', 'popover']).nullable().default(null) });

export async function pair(): Promise<void> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new Failure(
      'Pairing needs a person at a terminal: run `chaperone pair` there, with nothing piped in or out.',
      EXIT.usage,
    );
  }
  if (!(await confirmed())) throw new Failure('Not paired: nothing was changed.');
  const { link, confirm } = await withHost(async (session) =>
    pairedSchema.parse(await session.request('admin/pair', {})),
  );
  print(`Open this in your browser within two minutes; it works once:\n${link}`);
  if (confirm !== null) print(CONFIRM[confirm]);
}

const CONFIRM = {
  page: 'A page is paired already: confirm the new one there.',
  popover: 'A page is paired already: confirm the new one in the menu bar.',
} as const;

async function confirmed(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await terminal.question(
      'The page that opens this link can allow what agents ask for. Make a link? [y/N] ',
    );
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
