import { verifyEvidence } from '../evidence/index.js';
import type { VerifyResult } from '../evidence/index.js';
import { EXIT } from './failure.js';
import { paths } from './running.js';
import { formatEnglish } from '../../messages/index.js';

export async function verify(options: { json?: boolean }): Promise<void> {
  const verdict = await verifyEvidence({ stateDir: paths().state });
  process.stdout.write(options.json === true ? `${JSON.stringify(asJson(verdict), null, 2)}\n` : inWords(verdict));
  if (!verdict.ok) process.exitCode = EXIT.failed;
}

const asJson = ({ problems, notes, ...verdict }: VerifyResult) => ({
  ...verdict,
  problems: problems.map(({ description, ...problem }) => ({ ...problem, message: formatEnglish(description) })),
  notes: notes.map(formatEnglish),
});

function inWords({ ok, lines, problems, notes }: VerifyResult): string {
  const judged = ok
    ? `The record is whole: ${lines} lines.`
    : `The record is NOT as it was written: ${problems.length} problems in ${lines} lines.`;
  return [
    judged,
    ...problems.map(({ description }) => `  ${formatEnglish(description)}`),
    ...notes.map((note) => `  note: ${formatEnglish(note)}`),
    'No key vouches for its head: someone who can write your files could have rewritten all of it.',
    '',
  ].join('\n');
}
