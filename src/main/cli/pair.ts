/** `chaperone pair`: a person at a terminal asks for a link. The host checks again, by the kernel's word, that no agent is behind this terminal. */
import { createInterface } from 'node:readline/promises';
import * as z from 'zod';
import { Failure, EXIT } from './failure.js';
import { withHost } from './running.js';

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
  process.stdout.write(
    `Open this in your browser within two minutes; it works once:\n${link}\n${confirm === null ? '' : CONFIRM[confirm]}`,
  );
}

const CONFIRM = {
  page: 'A page is paired already: confirm the new one there.\n',
  popover: 'A page is paired already: confirm the new one in the menu bar.\n',
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
