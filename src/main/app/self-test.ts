/** The self-test in the app's own processes, with what the person allows the app. Only the person starts it, by a press: it acts on the desktop. */
import type { Logger } from 'pino';
import { formatterFor } from '../../messages/catalogues.js';
import { message } from '../../messages/index.js';
import { exitCode, Failure, printError, print } from '../cli/failure.js';
import { askInTerminal, selfTest } from '../cli/self-test.js';
import { thisMac } from '../host/self-test.js';
import { createHelperStart } from './desktop-helpers.js';
import type { Electron } from './options.js';

export const SELF_TEST = '--self-test';
const START = 0;
const CANCEL = 1;

/** Ends the app with the exit code of the command. `placeOf` is another one in tests. */
export async function selfTestInApp(electron: Electron, log: Logger, placeOf = thisMac): Promise<void> {
  const { app, utilityProcess } = electron;
  await app.whenReady();
  const words = formatterFor(app.getPreferredSystemLanguages());
  const { signal } = new AbortController();
  try {
    await requireYes(electron, words.text);
    const ask = askInTerminal(words);
    await selfTest(placeOf(log, signal, ask, createHelperStart(utilityProcess)), words, signal);
    app.exit(Number(process.exitCode ?? 0));
  } catch (error) {
    printError(error, words);
    app.exit(exitCode(error));
  }
}

async function requireYes({ app, dialog }: Electron, text: ReturnType<typeof formatterFor>['text']): Promise<void> {
  print(text('cli.self_test_confirm'));
  app.focus({ steal: true });
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: text('app.self_test.title'),
    detail: text('app.self_test.detail'),
    buttons: [text('app.self_test.start'), text('app.self_test.cancel')],
    defaultId: CANCEL,
    cancelId: CANCEL,
  });
  if (response !== START) throw new Failure(message('cli.self_test_stopped'));
}
