/** Puts a text on the pasteboard for the moment of pasting it, and gives back what was there. */
import { DesktopError } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import type { Scope } from '../foundation/scope.js';
import { present } from '../foundation/values.js';
import { bytesOf, CONCEALED, general, isDenied, TYPE } from './pasteboard.js';

type Saved = readonly (readonly { type: string; data: Uint8Array }[])[];

const MOST_BYTES = 32 * 1024 * 1024;
/** So that managers of the clipboard neither keep nor show it. */
const LENT_MARKS = ['org.nspasteboard.TransientType', 'org.nspasteboard.ConcealedType'];

export function openLending(core: Core) {
  const { pooled, scoped } = core;
  let lent: { saved: Saved; count: number } | null = null;
  const within = <T>(work: (pasteboard: Ref, scope: Scope) => T): T =>
    pooled(() => scoped((scope) => work(general(core), scope)));
  return {
    /** The count of the change. Throws, and changes nothing, where what is there could not be given back. */
    lend: (text: string): number =>
      within((pasteboard, scope) => {
        const saved = save(core, scope, pasteboard);
        if (saved === null) throw new DesktopError('failed', message('native.clipboard_kept'));
        const count = replace(core, scope, pasteboard, [
          [
            { type: TYPE.text, data: Buffer.from(text) },
            ...LENT_MARKS.map((type) => ({ type, data: Buffer.alloc(0) })),
          ],
        ]);
        if (count === null) throw new DesktopError('failed', message('native.clipboard_taken'));
        lent = { saved, count };
        return count;
      }),
    /** `restored` where all is as before; `count` is null where another program has changed it: then it is left as it is. */
    giveBack: (): { restored: boolean; count: number | null } =>
      within((pasteboard, scope) => {
        const known = lent;
        lent = null;
        if (known === null || Number(core.bound.send(pasteboard, 'changeCount')) !== known.count) {
          return { restored: false, count: null };
        }
        const count = replace(core, scope, pasteboard, known.saved);
        return { restored: count !== null, count };
      }),
  };
}

/** null where something cannot be saved, or must not be read: what is marked as secret is not. */
function save(core: Core, scope: Scope, pasteboard: Ref): Saved | null {
  const { bound, reading } = core;
  const texts = (from: Ref): string[] =>
    reading.list(bound.send(from, 'types')).flatMap((each) => reading.text(each) ?? []);
  const types = texts(pasteboard);
  if (types.length === 0) return [];
  if (isDenied(core, pasteboard) || types.some((type) => CONCEALED.has(type))) return null;
  let bytes = 0;
  let whole = true;
  const items = reading.list(bound.send(pasteboard, 'pasteboardItems')).map((item) =>
    texts(item).flatMap((type) => {
      const data = whole
        ? bytesOf(core, bound.send(item, 'dataForType:', present(core.making.text(scope, type))))
        : null;
      bytes += data?.length ?? 0;
      whole &&= data !== null && bytes <= MOST_BYTES;
      return data === null ? [] : [{ type, data }];
    }),
  );
  return whole ? items : null;
}

/** Text as data is UTF-8. The count of the change; null where another program took the pasteboard meanwhile. */
function replace(core: Core, scope: Scope, pasteboard: Ref, items: Saved): number | null {
  const { bound, making } = core;
  const count = Number(bound.send(pasteboard, 'clearContents'));
  const made = items.map((entries) => {
    const itemClass = present(bound.objectiveC.objc_getClass('NSPasteboardItem'));
    const item = present(scope.own(bound.send(present(bound.send(itemClass, 'alloc')), 'init')));
    for (const { type, data } of entries) {
      const bytes = present(scope.own(bound.coreFoundation.CFDataCreate(null, data, data.length)));
      bound.send(item, 'setData:forType:', bytes, present(making.text(scope, type)));
    }
    return item;
  });
  const written = made.length === 0 || bound.send(pasteboard, 'writeObjects:', present(making.list(scope, made))) !== 0;
  return written ? count : null;
}
