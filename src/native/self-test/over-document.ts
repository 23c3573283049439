/** What is done with the pointer over the document, and what its window shows. */
import { verbatim } from '../../messages/index.js';
import { DesktopError } from '../desktop.js';
import { centre, documentWindow, emptyDocument, equals, textField, whileWriting } from './scene.js';
import { check, type Check, type Stage } from './types.js';

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

export const OVER_THE_DOCUMENT: Record<'scroll' | 'dropFiles' | 'windowPaint' | 'untilApplication', Check> = {
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
