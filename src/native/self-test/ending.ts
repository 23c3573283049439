/** Members that end something, last. */
import { documentWindow, equals, found } from './scene.js';
import { check, notRun, type Check } from './types.js';

type Names = 'killWindow' | 'closeWindow' | 'quitApp' | 'onLost' | 'close';

export const ENDING: Record<Names, Check> = {
  killWindow: check({
    async steps({ desktop, calculator, signal }) {
      const window = (await desktop.windows(signal)).find(({ app }) => app.pid === calculator());
      await desktop.killWindow(found(window, 'window').id, signal);
      return calculator();
    },
    witness: async ({ witness }, pid) => equals(await witness.isRunning(pid), false),
  }),
  closeWindow: check({
    async steps(stage) {
      await stage.desktop.closeWindow((await documentWindow(stage)).id, stage.signal);
      return stage.document.title;
    },
    async witness({ witness, document }, title) {
      const seen = await witness.titles(document.pid);
      return { seen, agrees: !seen.includes(title) };
    },
  }),
  quitApp: check({
    async steps(stage) {
      stage.reopen(await stage.witness.openDocument('to be quit'));
      await stage.desktop.quitApp(stage.document.pid, stage.signal);
      return stage.document.pid;
    },
    witness: async ({ witness }, pid) => equals(await witness.isRunning(pid), false),
  }),
  onLost: notRun('ends_the_backend'),
  close: check({
    async steps({ desktop, signal }) {
      await desktop.close();
      return desktop.apps(signal).then(
        () => 'answers',
        () => 'closed',
      );
    },
    async witness({ witness }, told) {
      const seen = await witness.platform();
      return { seen, agrees: told === 'closed' && seen !== '' };
    },
  }),
};
