/** `chaperone doctor --self-test`: the members of the desktop's interface, judged by a second witness. For a Mac. */
import { message, type Formatter } from '../../messages/index.js';
import { testDesktop, thisMac, type SelfTestPlace } from '../host/self-test.js';
import { EXIT, Failure } from './failure.js';
import { stderrLog } from './logging.js';
import { print } from './output.js';

/** Until the person ends it. */
export async function selfTestHere(words: Formatter): Promise<void> {
  const ending = new AbortController();
  process.once('SIGINT', () => ending.abort(new Failure(message('cli.self_test_stopped'))));
  const ask = () => print(words.text('cli.self_test_person'));
  await selfTest(thisMac(stderrLog(), ending.signal, ask), words, ending.signal);
}

const EXIT_CODES = { passed: 0, incomplete: EXIT.incomplete, failed: EXIT.failed } as const;

/** Sets the exit code: 0 only where everything was run and nothing was wrong. */
export async function selfTest(place: SelfTestPlace, { format }: Formatter, signal: AbortSignal): Promise<void> {
  if (place.platform !== 'darwin') throw new Failure(message('cli.self_test_mac'), EXIT.usage);
  const { file, verdict, counts } = await testDesktop(
    place,
    ({ result, member }) => print(`${result.padEnd(11)} ${member}`),
    signal,
  );
  const { right, wrong, error, not_run: left } = counts;
  print(format(message('cli.self_test_done', { right, wrong: wrong + error, left, file })));
  process.exitCode = EXIT_CODES[verdict];
}
