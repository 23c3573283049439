/** `chaperone evidence verify`: checks the record for edits, gaps and missing files. */
import { verifyEvidence, type VerifyResult } from '../evidence/index.js';
import { EXIT } from './failure.js';
import { paths } from './host-client.js';
import { print, printJson } from './output.js';
import { formatEnglish, inEnglish, message } from '../../messages/index.js';

export async function verify(options: { json?: boolean }): Promise<void> {
  const result = await verifyEvidence({ stateDir: paths().state });
  if (options.json === true) printJson(asJson(result));
  else print(formatText(result));
  if (!result.ok) process.exitCode = EXIT.failed;
}

const asJson = ({ problems, notes, ...result }: VerifyResult) => ({
  ...result,
  problems: problems.map(({ description, ...problem }) => ({ ...problem, message: formatEnglish(description) })),
  notes: notes.map(formatEnglish),
});

function formatText({ ok, lines, problems, notes }: VerifyResult): string {
  const summary = ok
    ? message('cli.evidence.whole', { lines })
    : message('cli.evidence.changed', { problems: problems.length, lines });
  return [
    formatEnglish(summary),
    ...problems.map(({ description }) => `  ${formatEnglish(description)}`),
    ...notes.map((note) => `  ${inEnglish.text('cli.evidence.note', { note })}`),
    inEnglish.text('cli.evidence.no_key'),
  ].join('\n');
}
