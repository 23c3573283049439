/** Members that type, point or use the clipboard. */
import { verbatim, message } from '../../messages/index.js';
import { DesktopError, type DesktopBackend } from '../desktop.js';
import {
  centre,
  documentWindow,
  emptyDocument,
  equals,
  textField,
  whileWriting,
  whileInFront,
  calculatorButton,
  documentIs,
  isNear,
  rowNamed,
} from './scene.js';
import { check, type Check, type Stage, NotRun } from './types.js';
import { abortable, withTimeout } from '../../base/poll.js';
import { TEXTS } from './reading.js';

// What is done with the pointer over the document, and what its window shows.

const LINES = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`).join('\n');
/** More than there are: to the one end. */
const FAR = 300;
/** A file that every Mac has. */
const FILE = '/etc/hosts';

async function longDocument(stage: Stage): Promise<void> {
  await emptyDocument(stage);
  const field = await textField(stage);
  await stage.desktop.setValue(field.id, LINES, stage.signal);
  await stage.desktop.movePointer(centre(field.frame), stage.signal);
}

const OVER_THE_DOCUMENT: Record<'scroll' | 'dropFiles' | 'windowPaint' | 'untilApplication', Check> = {
  scroll: check({
    async steps(stage) {
      await longDocument(stage);
      const { desktop, witness, signal } = stage;
      await desktop.scroll({ x: 0, y: -FAR }, whileWriting(stage), signal);
      const before = await witness.scrolled();
      await desktop.scroll({ x: 0, y: 20 }, whileWriting(stage), signal);
      return before;
    },
    async witness({ witness }, before) {
      const seen = await witness.scrolled();
      return { seen, agrees: seen !== before };
    },
  }),
  dropFiles: check({
    async steps(stage) {
      await emptyDocument(stage);
      const { id, frame } = await documentWindow(stage);
      await stage.desktop.movePointer(centre(frame), stage.signal);
      return (await stage.desktop.dropFiles([FILE], id, whileWriting(stage), stage.signal)).accepted;
    },
    witness: async ({ witness }, accepted) => equals(await witness.tookFile(), accepted),
    mayBeUnsupported: true,
  }),
  windowPaint: check({
    async steps(stage) {
      await emptyDocument(stage);
      const { id } = await documentWindow(stage);
      const before = await stage.desktop.windowPaint(id, null, stage.signal);
      if (before === null) throw new DesktopError('unsupported', verbatim('null'));
      await stage.desktop.setValue((await textField(stage)).id, 'painted anew', stage.signal);
      const after = await stage.desktop.windowPaint(id, before.generation, stage.signal);
      return after !== null && after.generation !== before.generation;
    },
    async witness({ witness }, changed) {
      const seen = await witness.document();
      return { seen, agrees: changed && seen === 'painted anew' };
    },
    mayBeUnsupported: true,
  }),
  untilApplication: check({
    async steps(stage) {
      await emptyDocument(stage);
      const { id } = await documentWindow(stage);
      await stage.desktop.setValue((await textField(stage)).id, 'read by then', stage.signal);
      const read = await stage.desktop.untilApplication(id, 'read', stage.signal);
      if (read === null) throw new DesktopError('unsupported', verbatim('null'));
      return read;
    },
    async witness({ witness }, read) {
      const seen = await witness.document();
      return { seen, agrees: read && seen === 'read by then' };
    },
    mayBeUnsupported: true,
  }),
};

// Acts on rows: of a Finder window, on a Mac.

const ROWS: Record<'setSelected' | 'setExpanded' | 'scrollIntoView', Check> = {
  setSelected: check({
    async steps(stage) {
      const { row } = await stage.rows();
      await stage.desktop.setSelected((await rowNamed(stage, row)).id, true, stage.signal);
      return row;
    },
    witness: async ({ witness }, row) => equals(await witness.selectedRows(), [row]),
  }),
  setExpanded: check({
    async steps(stage) {
      const { folding } = await stage.rows();
      const before = await stage.witness.isUnfolded();
      const { id } = await rowNamed(stage, folding);
      await stage.desktop.setExpanded(id, true, stage.signal);
      return before;
    },
    async witness({ witness }, before) {
      const seen = await witness.isUnfolded();
      return { seen, agrees: !before && seen };
    },
  }),
  scrollIntoView: check({
    async steps(stage) {
      const { last } = await stage.rows();
      const before = await stage.witness.scrolledRows();
      const { id } = await rowNamed(stage, last);
      await stage.desktop.scrollIntoView(id, stage.signal);
      return before;
    },
    async witness({ witness }, before) {
      const seen = await witness.scrolledRows();
      return { seen, agrees: seen > before };
    },
  }),
};

type Names =
  | keyof typeof TEXTS
  | keyof typeof OVER_THE_DOCUMENT
  | keyof typeof ROWS
  | 'launch'
  | 'key'
  | 'typeText'
  | 'paste'
  | 'releaseAll'
  | 'movePointer'
  | 'pointer'
  | 'button'
  | 'performAction'
  | 'readClipboard'
  | 'writeClipboard'
  | 'onClipboardChange'
  | 'onChange'
  | 'onSyntheticInput'
  | 'flushInputEvents'
  | 'onPersonInput'
  | 'onPersonPress';

const NEWS_MS = 3000;
/** How long the person has. */
const PERSON_MS = 10_000;

/** Resolves with whether a listener was called after `act`. */
async function hears(
  listen: (heard: () => void) => () => void,
  act: () => Promise<unknown>,
  limitMs = NEWS_MS,
): Promise<boolean> {
  let stop: () => void = () => undefined;
  const heard = new Promise<true>((resolve) => (stop = listen(() => resolve(true))));
  try {
    await act();
    return (await withTimeout(heard, limitMs)) ?? false;
  } finally {
    stop();
  }
}

async function press(stage: Stage, key: string): Promise<void> {
  const { desktop, signal } = stage;
  await desktop.key(key, true, whileWriting(stage), signal);
  await desktop.key(key, false, whileWriting(stage), signal);
}

const changed = async ({ witness }: Stage, before: string) => {
  const seen = await witness.result();
  return { seen, agrees: seen !== before };
};

export const INPUT: Record<Names, Check> = {
  ...TEXTS,
  ...OVER_THE_DOCUMENT,
  key: check({
    async steps(stage) {
      await emptyDocument(stage);
      for (const key of ['a', 'b', 'backspace', 'c']) await press(stage, key);
      return 'ac';
    },
    witness: documentIs,
  }),
  typeText: check({
    async steps(stage) {
      await emptyDocument(stage);
      const text = 'Zwölf Boxkämpfer, “éñ” 你好 😀';
      await stage.desktop.typeText(text, whileWriting(stage), stage.signal);
      return text;
    },
    witness: documentIs,
  }),
  paste: check({
    async steps(stage) {
      await emptyDocument(stage);
      await stage.witness.copy('what was there');
      const { restored } = await stage.desktop.paste('pasted', stage.document.pid, whileWriting(stage), stage.signal);
      return { text: 'pasted', restored };
    },
    async witness({ witness }, { text, restored }) {
      const seen = { document: await witness.document(), clipboard: await witness.clipboard() };
      return { seen, agrees: seen.document === text && restored && seen.clipboard === 'what was there' };
    },
  }),
  releaseAll: check({
    async steps(stage) {
      await emptyDocument(stage);
      await stage.desktop.key('shift', true, whileWriting(stage), stage.signal);
      await stage.desktop.releaseAll();
      await press(stage, 'a');
      return 'a';
    },
    witness: documentIs,
  }),
  movePointer: check({
    async steps(stage) {
      const to = centre((await documentWindow(stage)).frame);
      await stage.desktop.movePointer(to, stage.signal);
      return to;
    },
    async witness({ witness }, to) {
      const seen = await witness.pointer();
      return { seen, agrees: isNear(seen.x, to.x) && isNear(seen.y, to.y) };
    },
  }),
  pointer: check({
    steps: ({ desktop, signal }) => desktop.pointer(signal),
    async witness({ witness }, told) {
      const seen = await witness.pointer();
      return { seen, agrees: isNear(seen.x, told.x) && isNear(seen.y, told.y) };
    },
  }),
  ...ROWS,
  writeClipboard: check({
    async steps({ desktop, signal }) {
      await desktop.writeClipboard({ text: 'written' }, signal);
      return 'written';
    },
    witness: async ({ witness }, text) => equals(await witness.clipboard(), text),
  }),
  readClipboard: check({
    async steps({ desktop, witness, signal }) {
      await witness.copy('copied by another');
      return (await desktop.readClipboard(signal)).text;
    },
    witness: async ({ witness }, text) => equals(await witness.clipboard(), text),
  }),
  onClipboardChange: check({
    steps: ({ desktop, witness }) =>
      hears(
        (heard) => desktop.onClipboardChange(heard),
        () => witness.copy('copied again'),
      ),
    async witness({ witness }, heard) {
      const seen = await witness.clipboard();
      return { seen, agrees: heard && seen === 'copied again' };
    },
  }),
  onChange: check({
    steps: (stage) =>
      hears(
        (heard) => stage.desktop.onChange(heard),
        () => emptyDocument(stage),
      ),
    async witness({ witness }, heard) {
      const seen = await witness.document();
      return { seen, agrees: heard && seen === '' };
    },
  }),
  onSyntheticInput: check({
    async steps(stage) {
      await emptyDocument(stage);
      return hears(
        (heard) => stage.desktop.onSyntheticInput(heard),
        () => press(stage, 'x'),
      );
    },
    async witness({ witness }, heard) {
      const seen = await witness.document();
      return { seen, agrees: heard && seen === 'x' };
    },
  }),
  flushInputEvents: check({
    async steps(stage) {
      await emptyDocument(stage);
      let heard = 0;
      const stop = stage.desktop.onSyntheticInput(() => (heard += 1));
      await press(stage, 'y');
      await abortable(stage.desktop.flushInputEvents(stage.signal), stage.signal);
      stop();
      return heard > 0;
    },
    async witness({ witness }, heard) {
      const seen = await witness.document();
      return { seen, agrees: heard && seen === 'y' };
    },
  }),
  onPersonInput: check({
    async steps({ desktop, witness, personMs = PERSON_MS }) {
      const before = await witness.pointer();
      const listen = (heard: () => void) => desktop.onPersonInput(heard);
      const heard = await hears(listen, () => witness.askPerson(), personMs);
      const { x, y } = await witness.pointer();
      if (!heard && x === before.x && y === before.y) throw new NotRun('needs_person');
      return { heard, before };
    },
    async witness({ witness }, { heard, before }) {
      const seen = await witness.pointer();
      return { seen, agrees: heard && (seen.x !== before.x || seen.y !== before.y) };
    },
  }),
  /** That the person presses is not asked for; that nothing else counts as theirs is what pages rely on. */
  onPersonPress: check({
    async steps(stage) {
      const { desktop, signal } = stage;
      if (desktop.onPersonPress === undefined) throw new DesktopError('unsupported', message('native.presses_untold'));
      await emptyDocument(stage);
      let heard = 0;
      const stop = desktop.onPersonPress(() => (heard += 1));
      await press(stage, 'z');
      await abortable(desktop.flushInputEvents(signal), signal);
      stop();
      return heard;
    },
    async witness({ witness }, heard) {
      const seen = await witness.document();
      return { seen, agrees: heard === 0 && seen === 'z' };
    },
    mayBeUnsupported: true,
  }),
  launch: check({
    async steps(stage) {
      const options = { background: false, newInstance: true };
      const { app } = await stage.desktop.launch(stage.actors.calculator.application, options, stage.signal);
      stage.setCalculator(app.pid);
      return app.pid;
    },
    witness: async ({ witness }, pid) => equals([await witness.isRunning(pid), await witness.frontPid()], [true, pid]),
  }),
  performAction: check({
    async steps(stage) {
      const before = await stage.witness.result();
      await stage.desktop.performAction((await calculatorButton(stage)).id, 'AXPress', stage.signal);
      return before;
    },
    witness: changed,
  }),
  button: check({
    async steps(stage) {
      const before = await stage.witness.result();
      const { desktop, signal } = stage;
      await desktop.movePointer(centre((await calculatorButton(stage)).frame), signal);
      await desktop.button('left', true, whileInFront(stage, stage.calculator()), signal);
      await desktop.button('left', false, whileInFront(stage, stage.calculator()), signal);
      return before;
    },
    witness: changed,
  }),
} satisfies Partial<Record<keyof DesktopBackend, Check>>;
