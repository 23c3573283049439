/** `chaperone evidence verify`: checks the record for edits, gaps and missing files. Only the app can check who wrote its head. */
import * as z from 'zod';
import { headState, verifyEvidence, type HeadState, type VerifyResult } from '../evidence/index.js';
import { EXIT, print, printJson } from './failure.js';
import { paths, tryWithHost } from './host-client.js';
import { formatEnglish, message, type Formatter } from '../../messages/index.js';

export async function verify(options: { json?: boolean; fromStart?: boolean }, words: Formatter): Promise<void> {
  const shown = options.json !== true && process.stderr.isTTY ? createProgressLine(words) : null;
  const result = await verifyEvidence({
    stateDir: paths().state,
    keep: { fromStart: options.fromStart === true },
    ...(shown === null ? {} : { onProgress: shown.show }),
  });
  shown?.clear();
  const checked = withHead(result, await askAboutHead());
  if (options.json === true) printJson(asJson(checked));
  else print(formatText(checked, words));
  if (!checked.ok) process.exitCode = EXIT.failed;
}

const answerSchema = z.object({ head: z.enum(['right', 'wrong', 'unsigned', 'unchecked']) });

/** The running app; a host without the key knows as little as this process. */
async function askAboutHead(): Promise<HeadState> {
  const answer = await tryWithHost((session) => session.request('admin/head', {})).catch(() => null);
  const told = answerSchema.safeParse(answer);
  return told.success ? told.data.head : headState(paths().state);
}

type Checked = VerifyResult & { head: HeadState };

function withHead(result: VerifyResult, head: HeadState): Checked {
  if (head !== 'wrong') return { ...result, head };
  const description = message('record.head_not_ours');
  return {
    ...result,
    head,
    ok: false,
    problems: [...result.problems, { kind: 'head', description, path: null, line: null }],
  };
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

const HEAD_TEXTS = {
  right: 'cli.evidence.head_right',
  wrong: 'cli.evidence.head_wrong',
  unsigned: 'cli.evidence.no_key',
  unchecked: 'cli.evidence.head_unchecked',
} as const;

const asJson = ({ problems, notes, ...result }: Checked) => ({
  ...result,
  problems: problems.map(({ description, ...problem }) => ({ ...problem, message: formatEnglish(description) })),
  notes: notes.map(formatEnglish),
});

function formatText({ ok, lines, problems, notes, head }: Checked, { format, text }: Formatter): string {
  const summary = ok
    ? message('cli.evidence.whole', { lines })
    : message('cli.evidence.changed', { problems: problems.length, lines });
  return [
    format(summary),
    ...problems.map(({ description }) => `  ${format(description)}`),
    ...notes.map((note) => `  ${text('cli.evidence.note', { note })}`),
    text(HEAD_TEXTS[head]),
  ].join('\n');
}
