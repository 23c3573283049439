import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ClipboardContent } from '../desktop.js';
import { decodeText, textRank } from './encoded-text.js';

/** The content of a selection for one target, as the X protocol transfers it. `type` is the name of an atom. */
export interface SelectionData {
  type: string;
  format: number;
  data: Buffer;
}

/** Target name to content. */
export type SelectionOffer = ReadonlyMap<string, SelectionData>;

/** The target that KeePassXC, Klipper and others offer together with a password; its content is `secret`. */
export const CONCEALED = 'x-kde-passwordManagerHint';

const PROTOCOL_TARGETS = new Set([
  'TARGETS',
  'TIMESTAMP',
  'MULTIPLE',
  'SAVE_TARGETS',
  'DELETE',
  'INSERT_PROPERTY',
  'INSERT_SELECTION',
]);
/** Targets that {@link fromOffer} reads, other names of the same content, and marks of the owner. */
const USED_TARGETS =
  /^(text\/(plain|unicode)\b.*|text\/html\b.*|text\/uri-list|UTF8_STRING|(C_)?STRING|TEXT|COMPOUND_TEXT|_.*|image\/png|x-special\/.*|x-kde-.*|application\/x-(qt-image|kde-.*)|chromium\/.*)$/;
const MAX_OTHER_TARGETS = 20;
const UTF8_TARGETS = ['UTF8_STRING', 'text/plain;charset=utf-8', 'text/plain'];

export function toOffer({ text, html, png, files }: ClipboardContent): SelectionOffer {
  const offer = new Map<string, SelectionData>();
  const put = (target: string, data: Buffer, type = target): void => void offer.set(target, { type, format: 8, data });
  if (text !== undefined) {
    const utf8 = Buffer.from(text, 'utf8');
    for (const target of UTF8_TARGETS) put(target, utf8);
    put('TEXT', utf8, 'UTF8_STRING');
    put('COMPOUND_TEXT', Buffer.concat([Buffer.from('\x1b%G'), utf8, Buffer.from('\x1b%@')]));
    const latin1 = Buffer.from(text, 'latin1');
    if (latin1.toString('latin1') === text) put('STRING', latin1);
  }
  if (html !== undefined) put('text/html', Buffer.from(html, 'utf8'));
  if (png !== undefined) put('image/png', Buffer.from(png));
  if (files !== undefined) {
    const urls = files.map((file) => pathToFileURL(file).href);
    put('text/uri-list', Buffer.from(urls.map((url) => `${url}\r\n`).join('')));
    put('x-special/gnome-copied-files', Buffer.from(['copy', ...urls].join('\n')));
  }
  return offer;
}

/** The targets that {@link fromOffer} can use, given what is on offer. */
export function usefulTargets(targets: readonly string[]): string[] {
  const texts = targets.filter((target) => textRank(target) !== null);
  const text = texts.toSorted((one, other) => (textRank(one) ?? 0) - (textRank(other) ?? 0))[0];
  const others = ['text/html', 'image/png', 'text/uri-list'].filter((target) => targets.includes(target));
  return text === undefined ? others : [text, ...others];
}

/** A target of the protocol itself, without content. */
export function isMeta(target: string): boolean {
  return PROTOCOL_TARGETS.has(target);
}

/** A hint that cannot be read counts as concealed. */
export function isConcealed(hint: SelectionData | null): boolean {
  return hint === null || hint.data.toString('latin1').replace(/\0+$/, '').trim() === 'secret';
}

/** Offered targets with content that {@link fromOffer} cannot use. */
export function otherTargets(targets: readonly string[]): string[] {
  return targets.filter((target) => !isMeta(target) && !USED_TARGETS.test(target)).slice(0, MAX_OTHER_TARGETS);
}

export function fromOffer(offer: SelectionOffer): ClipboardContent {
  const content: ClipboardContent = {};
  const [target] = usefulTargets([...offer.keys()]);
  const text = target === undefined || textRank(target) === null ? undefined : offer.get(target);
  if (text !== undefined) content.text = decodeText(text.type, text.data, target);
  const html = offer.get('text/html');
  if (html !== undefined) content.html = decodeHtml(html.data);
  const png = offer.get('image/png');
  if (png !== undefined) content.png = new Uint8Array(png.data);
  const list = offer.get('text/uri-list');
  if (list !== undefined) content.files = paths(list.data.toString('utf8'));
  return content;
}

function decodeHtml(data: Buffer): string {
  const utf16 = data[0] === 0xff && data[1] === 0xfe;
  return (utf16 ? data.toString('utf16le', 2) : data.toString('utf8')).replace(/\0+$/, '');
}

function paths(list: string): string[] {
  return list
    .split(/\r?\n/)
    .filter((line) => line.startsWith('file://'))
    .flatMap((line) => {
      try {
        return [fileURLToPath(line)];
      } catch {
        // A file on another host has no path here.
        return [];
      }
    });
}
