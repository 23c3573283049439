/** Members that only read. */
import { message } from '../../messages/index.js';
import { DesktopError, type DesktopBackend } from '../desktop.js';
import {
  LIMITS,
  centre,
  documentIs,
  documentWindow,
  emptyDocument,
  equals,
  found,
  isNear,
  isSameFrame,
  textField,
} from './scene.js';
import { permissionsAgree, check, type Check } from './types.js';

type Names =
  | 'platform'
  | 'version'
  | 'permissions'
  | 'automation'
  | 'displays'
  | 'apps'
  | 'windows'
  | 'frontmost'
  | 'stack'
  | 'tree'
  | 'find'
  | 'element'
  | 'ancestors'
  | 'elementAt'
  | 'windowAt'
  | 'focusedElement'
  | 'scrollerOf'
  | 'secureAreas'
  | 'capture'
  | 'windowState'
  | 'findApplication';

export const READING: Record<Names, Check> = {
  platform: check({
    steps: async ({ desktop }) => desktop.platform,
    witness: async ({ witness }, told) => equals(await witness.platform(), told),
  }),
  version: check({
    steps: async ({ desktop }) => desktop.version,
    async witness({ witness }, told) {
      const seen = await witness.systemVersion();
      return { seen, agrees: seen !== '' && told.includes(seen) };
    },
  }),
  /** What is granted shows in a text that can be read, and is told by a library where that is installed. */
  permissions: check({
    steps: ({ desktop, signal }) => desktop.permissions(signal),
    async witness(stage, told) {
      const text = await textField(stage).then(
        ({ value }) => value,
        () => null,
      );
      const readable = text !== null && text === (await stage.witness.document());
      const library = await stage.witness.permissions();
      const agrees = readable === (told.accessibility === 'granted');
      return { seen: { readable, library }, agrees: agrees && (library === null || permissionsAgree(library, told)) };
    },
  }),
  /** Applications that do not run have no row; System Events may, for the system starts it when it is wanted. */
  automation: check({
    async steps({ desktop, signal }) {
      if (desktop.automation === undefined) throw new DesktopError('unsupported', message('health.no_automation'));
      const named = new Set((await desktop.automation(signal)).map(({ application }) => application));
      return (await desktop.apps(signal)).filter(({ name }) => named.has(name)).map(({ pid }) => pid);
    },
    async witness({ witness }, pids) {
      const seen = await Promise.all(pids.map((pid) => witness.isRunning(pid)));
      return { seen, agrees: seen.every(Boolean) };
    },
    mayBeUnsupported: true,
  }),
  displays: check({
    steps: async ({ desktop, signal }) =>
      found(
        (await desktop.displays(signal)).find(({ main }) => main),
        'main',
      ).frame,
    async witness({ witness }, { width, height }) {
      const seen = await witness.mainDisplay();
      return { seen, agrees: isNear(seen.width, width) && isNear(seen.height, height) };
    },
  }),
  apps: check({
    steps: async ({ desktop, document, signal }) =>
      found(
        (await desktop.apps(signal)).find(({ pid }) => pid === document.pid),
        'app',
      ).pid,
    witness: async ({ witness }, pid) => equals(await witness.isRunning(pid), true),
  }),
  windows: check({
    steps: async (stage) => (await documentWindow(stage)).frame,
    async witness({ witness, document }, frame) {
      const seen = (await witness.window(document.pid, document.title))?.frame ?? null;
      return { seen, agrees: seen !== null && isSameFrame(seen, frame) };
    },
  }),
  frontmost: check({
    steps: async ({ desktop, signal }) => (await desktop.frontmost(signal)).app?.pid ?? null,
    witness: async ({ witness }, pid) => equals(await witness.frontPid(), pid),
  }),
  stack: check({
    steps: async ({ desktop, document, signal }) =>
      found(
        (await desktop.stack(signal)).find(({ pid, title }) => pid === document.pid && title === document.title),
        'window',
      ).frame,
    async witness({ witness, document }, frame) {
      const seen = (await witness.window(document.pid, document.title))?.frame ?? null;
      return { seen, agrees: seen !== null && isSameFrame(seen, frame) };
    },
  }),
  tree: check({
    async steps({ desktop, document, signal, actors }) {
      const { nodes } = await desktop.tree({ pid: document.pid }, LIMITS, signal);
      return found(
        nodes.find(({ element }) => element.role === actors.text.role),
        actors.text.role,
      ).element.value;
    },
    witness: async ({ witness }, value) => equals(await witness.document(), value),
  }),
  find: check({
    steps: async (stage) => (await textField(stage)).value,
    witness: async ({ witness }, value) => equals(await witness.document(), value),
  }),
  element: check({
    steps: async (stage) => (await stage.desktop.element((await textField(stage)).id, stage.signal)).value,
    witness: async ({ witness }, value) => equals(await witness.document(), value),
  }),
  ancestors: check({
    steps: async (stage) => (await stage.desktop.ancestors((await textField(stage)).id, stage.signal)).at(-1)?.title,
    witness: async ({ witness, document }, title) => {
      const seen = await witness.titles(document.pid);
      return { seen, agrees: title !== undefined && seen.includes(title) };
    },
  }),
  elementAt: check({
    async steps(stage) {
      const at = await stage.desktop.elementAt(centre((await textField(stage)).frame), stage.signal);
      return found(at, 'element').value;
    },
    witness: async ({ witness }, value) => equals(await witness.document(), value),
  }),
  windowAt: check({
    async steps(stage) {
      const at = await stage.desktop.windowAt(centre((await textField(stage)).frame), stage.signal);
      return found(at, 'window').app.pid;
    },
    witness: async ({ witness }, pid) => equals(await witness.frontPid(), pid),
  }),
  focusedElement: check({
    async steps(stage) {
      await emptyDocument(stage);
      await stage.desktop.insertText((await textField(stage)).id, 'has the focus', stage.signal);
      return found(await stage.desktop.focusedElement(stage.signal), 'element').value;
    },
    witness: async ({ witness }, value) => equals(await witness.document(), value),
  }),
  /** Its window is wholly on the screen, so nothing has to be scrolled. */
  scrollerOf: check({
    steps: async (stage) => stage.desktop.scrollerOf((await textField(stage)).id, stage.signal),
    async witness({ witness, document }, scroller) {
      const seen = await witness.window(document.pid, document.title);
      return { seen, agrees: scroller === null && seen?.minimized === false };
    },
  }),
  secureAreas: check({
    async steps({ desktop, witness, signal }) {
      const field = await witness.openPassword();
      try {
        return { field, areas: await desktop.secureAreas(signal) };
      } finally {
        await witness.closePassword();
      }
    },
    witness: async (_stage, { field, areas }) => ({
      seen: field,
      agrees: areas.some((area) => isSameFrame(area, field)),
    }),
  }),
  capture: check({
    async steps({ desktop, signal }) {
      const { width, height } = await desktop.capture({ kind: 'display' }, signal);
      return { width, height };
    },
    witness: async ({ witness }, size) => equals(await witness.screenPixels(), size),
  }),
  windowState: check({
    steps: async (stage) => (await stage.desktop.windowState((await documentWindow(stage)).id, stage.signal)).minimized,
    witness: async ({ witness, document }, minimized) =>
      equals((await witness.window(document.pid, document.title))?.minimized, minimized),
  }),
  findApplication: check({
    async steps({ desktop, actors, signal }) {
      const { command } = await desktop.findApplication(actors.calculator.application, signal);
      return found(command[0], 'command');
    },
    witness: async ({ witness }, path) => equals(await witness.exists(path), true),
  }),
} satisfies Partial<Record<keyof DesktopBackend, Check>>;

/** Sets a text by accessibility, which the document shows. */
export const TEXTS: Record<'setValue' | 'insertText' | 'focusElement', Check> = {
  setValue: check({
    async steps(stage) {
      await stage.desktop.setValue((await textField(stage)).id, 'set as a whole', stage.signal);
      return 'set as a whole';
    },
    witness: (stage, text) => documentIs(stage, text),
  }),
  insertText: check({
    async steps(stage) {
      await emptyDocument(stage);
      await stage.desktop.insertText((await textField(stage)).id, 'Grüße 😀', stage.signal);
      return 'Grüße 😀';
    },
    witness: (stage, text) => documentIs(stage, text),
  }),
  focusElement: check({
    async steps(stage) {
      await emptyDocument(stage);
      return (await textField(stage)).states.focused;
    },
    async witness({ witness, document }, focused) {
      const seen = await witness.frontPid();
      return { seen, agrees: focused && seen === document.pid };
    },
  }),
};
