/** Members that end something, last. */
import { poll } from '../../base/poll.js';
import { documentWindow, equals, found } from './scene.js';
import { check, type Check } from './types.js';

type Names = 'killWindow' | 'closeWindow' | 'quitApp' | 'onLost' | 'close';

const LOST_MS = 15_000;

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
  close: check({
    async steps({ desktop, signal }) {
      await desktop.close();
      return desktop.apps(signal).then(
        () => 'answers',
        () => 'closed',
      );
    },
    async witness({ witness }, told) {
      const seen = { runs: await witness.backendRuns() };
      return { seen, agrees: told === 'closed' && !seen.runs };
    },
  }),
  /** Of another desktop, opened for it. */
  onLost: check({
    async steps({ another, witness, signal }) {
      const desktop = await another();
      let lost = false;
      const stop = desktop.onLost(() => (lost = true));
      const ended = async (): Promise<true | null> => {
        if (!lost) await witness.endBackend();
        return lost ? true : null;
      };
      await poll(ended, LOST_MS, signal, 1).finally(stop);
      await desktop.close();
      return lost;
    },
    async witness({ witness }, lost) {
      const seen = await witness.backendRuns();
      return { seen, agrees: lost && !seen };
    },
  }),
};
