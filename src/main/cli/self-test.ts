/** `chaperone doctor --self-test`: what agents can do is done once, and a second witness says whether it arrived. For Linux and a Mac. */
import { message, type Formatter } from '../../messages/index.js';
import {
  testDesktop,
  testLinux,
  thisMac,
  type AbilityRow,
  type Asking,
  type SelfTestPlace,
} from '../host/self-test.js';
import { runApart } from './app.js';
import { EXIT, Failure, print } from './failure.js';
import { stderrLog } from './logging.js';
import { saysYes } from './status.js';

/** Until the person ends it. */
export async function selfTestHere(words: Formatter): Promise<void> {
  const run = RUNS.get(process.platform);
  if (run === undefined) throw new Failure(message('cli.self_test_elsewhere'), EXIT.usage);
  const ending = new AbortController();
  process.once('SIGINT', () => ending.abort(new Failure(message('cli.self_test_stopped'))));
  await run(words, ending.signal);
}

const RUNS: ReadonlyMap<string, (words: Formatter, signal: AbortSignal) => Promise<void>> = new Map([
  ['darwin', onMac],
  ['linux', onLinux],
]);

/** The packaged program runs it as the app, whose helpers and permissions are to be tried. */
async function onMac(words: Formatter, signal: AbortSignal): Promise<void> {
  if ('electron' in process.versions) process.exitCode = await runApart([process.execPath, '--self-test']);
  else await selfTest(thisMac(stderrLog(), signal, askInTerminal(words)), words, signal);
}

async function onLinux(words: Formatter, signal: AbortSignal): Promise<void> {
  const onStart = async (display: string): Promise<void> => {
    print(words.text('cli.self_test_linux', { display }));
    if (process.stdin.isTTY && !(await saysYes(words.text('cli.self_test_ask'), signal)))
      throw new Failure(message('cli.self_test_not_started'));
  };
  const onRow = (row: AbilityRow): void => print(rowText(row, words));
  const rows = await testLinux({ env: process.env, log: stderrLog(), signal, onStart, onRow });
  const count = (wanted: AbilityRow['result']): number => rows.filter(({ result }) => result === wanted).length;
  const counts = { ok: count('ok'), failed: count('failed'), cannot: count('cannot') };
  print(words.format(message('cli.self_test_linux_done', counts)));
  if (counts.failed > 0 || counts.ok === 0) process.exitCode = EXIT.failed;
}

const MARKS = { ok: 'ok ', failed: 'NO ', cannot: '-- ' } as const;

const NAMES = {
  windows: 'self_test.ability.windows',
  focus: 'self_test.ability.focus',
  picture: 'self_test.ability.picture',
  elements: 'self_test.ability.elements',
  pointer: 'self_test.ability.pointer',
  click: 'self_test.ability.click',
  scroll: 'self_test.ability.scroll',
  drag: 'self_test.ability.drag',
  keys: 'self_test.ability.keys',
  text: 'self_test.ability.text',
  release: 'self_test.ability.release',
  clipboard: 'self_test.ability.clipboard',
  place: 'self_test.ability.place',
  minimise: 'self_test.ability.minimise',
  close: 'self_test.ability.close',
} as const satisfies Record<AbilityRow['ability'], string>;

const rowText = ({ ability, result, why }: AbilityRow, { text, format }: Formatter): string =>
  `${MARKS[result]} ${text(NAMES[ability])}${why === null ? '' : `: ${format(why)}`}`;

export const askInTerminal =
  ({ text }: Formatter) =>
  (what: Asking): void =>
    print(text(what === 'move' ? 'cli.self_test_person' : 'cli.self_test_allow'));

const EXIT_CODES = { passed: 0, incomplete: EXIT.incomplete, failed: EXIT.failed } as const;

/** Sets the exit code: 0 only where everything was run and nothing was wrong. */
export async function selfTest(place: SelfTestPlace, { format }: Formatter, signal: AbortSignal): Promise<void> {
  const { file, verdict, counts } = await testDesktop(
    place,
    ({ result, member }) => print(`${result.padEnd(11)} ${member}`),
    signal,
  );
  const { right, wrong, error, not_run: left } = counts;
  print(format(message('cli.self_test_done', { right, wrong: wrong + error, left, file })));
  process.exitCode = EXIT_CODES[verdict];
}
