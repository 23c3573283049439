/** `chaperone evidence verify`: checks the record for edits, gaps and missing files. */
import { verifyEvidence, type VerifyResult } from '../evidence/index.js';
import { EXIT } from './failure.js';
import { paths } from './host-client.js';
import { print, printJson } from './output.js';
import { formatEnglish, message, type Formatter } from '../../messages/index.js';

export async function verify(options: { json?: boolean; fromStart?: boolean }, words: Formatter): Promise<void> {
  const shown = options.json !== true && process.stderr.isTTY ? createProgressLine(words) : null;
  const result = await verifyEvidence({
    stateDir: paths().state,
    keep: { fromStart: options.fromStart === true },
    ...(shown === null ? {} : { onProgress: shown.show }),
  });
  shown?.clear();
  if (options.json === true) printJson(asJson(result));
  else print(formatText(result, words));
  if (!result.ok) process.exitCode = EXIT.failed;
}

/** One line of the terminal, written over. */
function createProgressLine({ text }: Formatter) {
  let shown = -1;
  return {
    show(share: number): void {
      const percent = Math.floor(share * 100);
      if (percent === shown) return;
      shown = percent;
      process.stderr.write(`\r${text('cli.evidence.checked_part', { percent })}`);
    },
    clear: (): void => void process.stderr.write('\r\u001b[K'),
  };
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
