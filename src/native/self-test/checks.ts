/** Every member of the interface with its check, in the order in which they run. Its type makes it total. */
import type { DesktopBackend, Rect } from '../desktop.js';
import { INPUT } from './input.js';
import { READING } from './reading.js';
import { type Check, check, type Stage } from './types.js';
import { documentWindow, equals, isSameFrame, found } from './scene.js';
import { poll } from '../../base/poll.js';

type Ending = 'killWindow' | 'closeWindow' | 'quitApp' | 'onLost' | 'close';

const LOST_MS = 15_000;

/** Members that end something, last. */
const ENDING: Record<Ending, Check> = {
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

// Acts on the document's window.

type Names = 'focusWindow' | 'setWindowFrame' | 'setWindowMinimized' | 'setWindowMaximized';

const areaOf = ({ width, height }: Rect): number => width * height;
const witnessed = ({ witness, document }: Stage) => witness.window(document.pid, document.title);

const WINDOWS: Record<Names, Check> = {
  focusWindow: check({
    async steps(stage) {
      await stage.desktop.focusWindow((await documentWindow(stage)).id, stage.signal);
      return stage.document.pid;
    },
    witness: async ({ witness }, pid) => equals(await witness.frontPid(), pid),
  }),
  setWindowFrame: check({
    async steps(stage) {
      const { id, frame } = await documentWindow(stage);
      const wanted = { x: frame.x + 40, y: frame.y + 30, width: frame.width + 50, height: frame.height - 20 };
      return stage.desktop.setWindowFrame(id, wanted, stage.signal);
    },
    async witness(stage, frame) {
      const seen = (await witnessed(stage))?.frame ?? null;
      return { seen, agrees: seen !== null && isSameFrame(seen, frame) };
    },
  }),
  setWindowMinimized: check({
    async steps(stage) {
      const { id } = await documentWindow(stage);
      await stage.desktop.setWindowMinimized(id, true, stage.signal);
      const minimized = (await witnessed(stage))?.minimized;
      await stage.desktop.setWindowMinimized(id, false, stage.signal);
      return minimized;
    },
    async witness(stage, minimized) {
      const seen = { first: minimized, then: (await witnessed(stage))?.minimized };
      return { seen, agrees: seen.first === true && seen.then === false };
    },
  }),
  setWindowMaximized: check({
    async steps(stage) {
      const { id, frame } = await documentWindow(stage);
      await stage.desktop.setWindowMaximized(id, true, stage.signal);
      const large = (await witnessed(stage))?.frame ?? frame;
      await stage.desktop.setWindowMaximized(id, false, stage.signal);
      return { before: frame, large };
    },
    async witness(stage, { before, large }) {
      const seen = (await witnessed(stage))?.frame ?? null;
      return { seen, agrees: areaOf(large) > areaOf(before) && seen !== null && isSameFrame(seen, before) };
    },
    mayBeUnsupported: true,
  }),
};

export const CHECKS: { readonly [Name in keyof DesktopBackend]-?: Check } = {
  ...READING,
  ...INPUT,
  ...WINDOWS,
  ...ENDING,
};
