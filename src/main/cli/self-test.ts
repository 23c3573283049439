/** `chaperone doctor --self-test`: the members of the desktop's interface, judged by a second witness. For a Mac. */
import { message, type Formatter } from '../../messages/index.js';
import { testDesktop, thisMac, type Asking, type SelfTestPlace } from '../host/self-test.js';
import { runApart } from './app.js';
import { EXIT, Failure, print } from './failure.js';
import { stderrLog } from './logging.js';

/** Until the person ends it. The packaged program runs it as the app, whose helpers and permissions are to be tried. */
export async function selfTestHere(words: Formatter): Promise<void> {
  requireMac(process.platform);
  if ('electron' in process.versions) {
    process.exitCode = await runApart([process.execPath, '--self-test']);
    return;
  }
  const ending = new AbortController();
  process.once('SIGINT', () => ending.abort(new Failure(message('cli.self_test_stopped'))));
  await selfTest(thisMac(stderrLog(), ending.signal, askInTerminal(words)), words, ending.signal);
}

export const askInTerminal =
  ({ text }: Formatter) =>
  (what: Asking): void =>
    print(text(what === 'move' ? 'cli.self_test_person' : 'cli.self_test_allow'));

function requireMac(platform: string): void {
  if (platform !== 'darwin') throw new Failure(message('cli.self_test_mac'), EXIT.usage);
}

const EXIT_CODES = { passed: 0, incomplete: EXIT.incomplete, failed: EXIT.failed } as const;

/** Sets the exit code: 0 only where everything was run and nothing was wrong. */
export async function selfTest(place: SelfTestPlace, { format }: Formatter, signal: AbortSignal): Promise<void> {
  requireMac(place.platform);
  const { file, verdict, counts } = await testDesktop(
    place,
    ({ result, member }) => print(`${result.padEnd(11)} ${member}`),
    signal,
  );
  const { right, wrong, error, not_run: left } = counts;
  print(format(message('cli.self_test_done', { right, wrong: wrong + error, left, file })));
  process.exitCode = EXIT_CODES[verdict];
}
