/** `chaperone evidence verify`: checks the record for edits, gaps and missing files. */
import { verifyEvidence, type VerifyResult } from '../evidence/index.js';
import { EXIT } from './failure.js';
import { paths } from './host-client.js';
import { print, printJson } from './output.js';
import { formatEnglish, message, type Formatter } from '../../messages/index.js';

export async function verify(options: { json?: boolean }, words: Formatter): Promise<void> {
  const result = await verifyEvidence({ stateDir: paths().state });
  if (options.json === true) printJson(asJson(result));
  else print(formatText(result, words));
  if (!result.ok) process.exitCode = EXIT.failed;
}

const asJson = ({ problems, notes, ...result }: VerifyResult) => ({
  ...result,
  problems: problems.map(({ description, ...problem }) => ({ ...problem, message: formatEnglish(description) })),
  notes: notes.map(formatEnglish),
});

function formatText({ ok, lines, problems, notes }: VerifyResult, { format, text }: Formatter): string {
  const summary = ok
    ? message('cli.evidence.whole', { lines })
    : message('cli.evidence.changed', { problems: problems.length, lines });
  return [
    format(summary),
    ...problems.map(({ description }) => `  ${format(description)}`),
    ...notes.map((note) => `  ${text('cli.evidence.note', { note })}`),
    text('cli.evidence.no_key'),
  ].join('\n');
}
