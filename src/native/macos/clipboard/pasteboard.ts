/** The general pasteboard, in the helper process: its owner may take long to give what it has promised. */
import { fileURLToPath, pathToFileURL } from 'node:url';
import { DesktopError, type ClipboardContent, type ClipboardReading } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import type { Scope } from '../foundation/scope.js';
import { present } from '../foundation/values.js';

export const TYPE = {
  text: 'public.utf8-plain-text',
  html: 'public.html',
  png: 'public.png',
  file: 'public.file-url',
} as const;
/** Of password managers: what is marked so is never read. */
export const CONCEALED: ReadonlySet<string> = new Set(['org.nspasteboard.ConcealedType', 'com.agilebits.onepassword']);
/** NSPasteboardAccessBehavior: `ask` and `alwaysDeny`. Nobody sees the question of a process without windows, so its read would never end. */
const UNREADABLE: ReadonlySet<number> = new Set([1, 3]);
/** Of files by number instead of by path. */
const REFERENCE = '/.file/id=';

export type Pasteboard = ReturnType<typeof openPasteboard>;

export function openPasteboard(core: Core) {
  const { bound, pooled, scoped, reading } = core;
  const within = <T>(work: (pasteboard: Ref, scope: Scope) => T): T =>
    pooled(() => scoped((scope) => work(general(core), scope)));
  const typesOf = (pasteboard: Ref): string[] =>
    reading.list(bound.send(pasteboard, 'types')).flatMap((each) => reading.text(each) ?? []);
  const isSecret = (types: readonly string[]): boolean => types.some((type) => CONCEALED.has(type));
  return {
    /** Another one after each change, by whomever. */
    count: (): number => within((pasteboard) => Number(bound.send(pasteboard, 'changeCount'))),
    read: (): ClipboardReading =>
      within((pasteboard, scope) => {
        const types = typesOf(pasteboard);
        if (isSecret(types)) return { concealed: true };
        if (isDenied(core, pasteboard)) throw new DesktopError('permission', message('native.clipboard_denied'));
        const read = readContent(core, scope, pasteboard, new Set(types));
        // Another program may have copied a secret since the types were told.
        if (isSecret(typesOf(pasteboard))) return { concealed: true };
        const known = new Set([
          ...(read.text === undefined ? [] : [TYPE.text]),
          ...(read.html === undefined ? [] : [TYPE.html]),
          ...(read.png === undefined ? [] : [TYPE.png]),
          ...(read.files === undefined ? [] : [TYPE.file]),
        ] as string[]);
        const others = [...new Set(types)].filter((type) => !known.has(type) && !type.startsWith('dyn.'));
        return { ...read, ...(others.length === 0 ? {} : { others }) };
      }),
    /** The count of the change. */
    write: (content: ClipboardContent): number =>
      within((pasteboard, scope) => writeContent(core, scope, pasteboard, content)),
  };
}

export function general({ bound }: Core): Ref {
  const pasteboardClass = bound.objectiveC.objc_getClass('NSPasteboard');
  const pasteboard = pasteboardClass === null ? null : bound.send(pasteboardClass, 'generalPasteboard');
  if (pasteboard === null) throw new DesktopError('failed', message('native.no_clipboard'));
  return pasteboard;
}

/** Where reading is never allowed the pasteboard looks empty; where it is asked about, it hangs. Systems before 15.4 do not know the question. */
export function isDenied({ bound }: Core, pasteboard: Ref): boolean {
  const selector = bound.objectiveC.sel_registerName('accessBehavior');
  if (selector === null || bound.send(pasteboard, 'respondsToSelector:', selector) === 0) return false;
  return UNREADABLE.has(Number(bound.send(pasteboard, 'accessBehavior')));
}

function readContent(core: Core, scope: Scope, pasteboard: Ref, types: ReadonlySet<string>): ClipboardContent {
  const { bound, reading, making } = core;
  const named = (type: string): Ref => present(making.text(scope, type));
  const text = (from: Ref, type: string): string | null =>
    reading.text(bound.send(from, 'stringForType:', named(type)));
  const [plain, html] = [TYPE.text, TYPE.html].map((type) => (types.has(type) ? text(pasteboard, type) : null));
  const png = types.has(TYPE.png) ? bytesOf(core, bound.send(pasteboard, 'dataForType:', named(TYPE.png))) : null;
  const items = types.has(TYPE.file) ? reading.list(bound.send(pasteboard, 'pasteboardItems')) : [];
  const urls = items.flatMap((item) => text(item, TYPE.file) ?? []);
  const files = urls.some((url) => url.includes(REFERENCE)) ? [] : urls.map((url) => fileURLToPath(url));
  return {
    ...(typeof plain === 'string' ? { text: plain } : {}),
    ...(typeof html === 'string' ? { html } : {}),
    ...(png === null ? {} : { png }),
    ...(files.length === 0 ? {} : { files }),
  };
}

export function bytesOf({ bound }: Core, data: Ref | null): Uint8Array | null {
  if (data === null) return null;
  const { CFDataGetBytes, CFDataGetLength } = bound.coreFoundation;
  const bytes = Buffer.alloc(Number(CFDataGetLength(data)));
  if (bytes.length > 0) CFDataGetBytes(data, 0, bytes.length, bytes);
  return new Uint8Array(bytes);
}

/** Another program may take the pasteboard between two of the calls. */
function writeContent(core: Core, scope: Scope, pasteboard: Ref, content: ClipboardContent): number {
  const { bound, making } = core;
  const { text, html, png, files = [] } = content;
  if (files.length > 1) throw new DesktopError('unsupported', message('native.one_file_only'));
  const named = (of: string): Ref => present(making.text(scope, of));
  const count = Number(bound.send(pasteboard, 'clearContents'));
  const taken = (kept: number): void => {
    if (kept === 0) throw new DesktopError('failed', message('native.clipboard_taken'));
  };
  const put = (type: string, value: string | undefined): void => {
    if (value !== undefined) taken(bound.send(pasteboard, 'setString:forType:', named(value), named(type)));
  };
  put(TYPE.text, text);
  put(TYPE.html, html);
  put(TYPE.file, files[0] === undefined ? undefined : pathToFileURL(files[0]).href);
  if (png !== undefined) {
    const data = present(scope.own(bound.coreFoundation.CFDataCreate(null, png, png.length)));
    taken(bound.send(pasteboard, 'setData:forType:', data, named(TYPE.png)));
  }
  return count;
}

type Saved = readonly (readonly { type: string; data: Uint8Array }[])[];

const MOST_BYTES = 32 * 1024 * 1024;
/** So that managers of the clipboard neither keep nor show it. */
const LENT_MARKS = ['org.nspasteboard.TransientType', 'org.nspasteboard.ConcealedType'];

/** Puts a text on the pasteboard for the moment of pasting it, and gives back what was there. */
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
