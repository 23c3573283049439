/** Faults of the app on a Mac, which show only where the stand-ins do what the real system does. */

const at = (file, test) => (name, from, to, fails) => ({ name, file: `src/main/app/${file}`, test: `test/app/${test}`, from, to, fails }); // prettier-ignore
const job = at('options.ts', 'service-job.test.ts');
const key = at('head-key.ts', 'head-key.test.ts');
const starting = at('start.ts', 'lifecycle.test.ts');
const early = at('start.ts', 'lifecycle.test.ts');
const notices = at('alerts.ts', 'notification-buttons.test.ts');
const popover = at('popover.ts', 'surface.test.ts');
const inApp = at('self-test.ts', 'self-test.test.ts');
const cli = (file, test) => (name, from, to, fails) => ({ name, file: `src/main/cli/${file}`, test: `test/cli/${test}`, from, to, fails }); // prettier-ignore
const apart = (name, from, to, fails) => ({ name, file: 'src/main/host/start-apart.ts', test: 'test/cli/app.test.ts', from, to, fails }); // prettier-ignore
const command = cli('self-test.ts', 'self-test.test.ts');
const native = (file, test) => (name, from, to, fails) => ({ name, file: `src/native/${file}`, test: `test/native/${test}`, from, to, fails }); // prettier-ignore
const opening = native('open.ts', 'open.test.ts');
const stage = native('self-test/run.ts', 'self-test/self-test.test.ts');

// prettier-ignore
export const MAC_APP = [
  starting('app-quits-half-open', '    if (!early.release()) return running;\n    app.quit();\n    return null;', '    early.release();\n    return running;', 'while the app starts is in order too'),
  early('early-quit-unheld', 'if (!this.#leaving) event.preventDefault();', '', 'while the app starts is in order too'),
  early('early-quit-holds-the-system', 'if (!this.#leaving) event', 'event', 'shuts down while the app starts'),
  key('keychain-waited-for-without-end', 'options.answerMs ?? ANSWER_MS', '2 ** 31 - 1', 'is not waited for without end'),
  key('late-key-vouches', '  waited.throwIfAborted();\n', '', 'is not waited for without end'),
  job('service-never-registered', "new Set(['not-found', 'not-registered'])", "new Set(['not-registered'])", 'a service that is not-found'),
  job('service-against-the-person', "'not-registered'])", "'not-registered', 'requires-approval'])", 'not registered where a person'),
  job('service-ends-another', "restart: (): boolean => isOwn() && ", 'restart: (): boolean => ', 'only its own process has launchd'),
  notices('notification-lost', '      shell.beep();\n    });', '    });', 'is a beep where macOS shows none'),
  popover('popover-activates', "{ type: 'panel' }", '{}', 'does not make this app the active one'),
  popover('popover-hides-the-app', "    if (shown?.isVisible() === true) shown.hide();\n", "    if (shown?.isVisible() === true) shown.hide();\n    if (options.platform === 'darwin') electron.app.hide();\n", 'does not make this app the active one'),
  apart('app-as-the-terminal', "platform === 'darwin'", "platform === 'none'", 'answers for itself on a Mac'),
  command('self-test-in-the-command', "'electron' in process.versions", 'false', 'in the packaged program, which cannot fork'),
  inApp('self-test-without-the-person', 'response !== START', 'response === CANCEL', 'does nothing after closed'),
  opening('another-is-granted-untold', 'grantee === null || grantee.path', 'true || grantee.path', 'another program is granted'),
  stage('self-test-without-a-table', 'return shown(errorText(thrown));', 'throw thrown;', 'has its whole table where the witness'),
];
