import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ClipboardContent } from '../../desktop.js';

/** One form of a selection, as the X protocol carries it. `type` is an atom's name. */
export interface Form {
  type: string;
  format: number;
  data: Buffer;
}

/** Target name to content. */
export type Offer = ReadonlyMap<string, Form>;

/** What KeePassXC, Klipper and others put beside a password, with the content `secret`. */
export const CONCEALED = 'x-kde-passwordManagerHint';

const META = new Set([
  'TARGETS',
  'TIMESTAMP',
  'MULTIPLE',
  'SAVE_TARGETS',
  'DELETE',
  'INSERT_PROPERTY',
  'INSERT_SELECTION',
]);
/** Other spellings of what is read, and marks of its owner. */
const KNOWN =
  /^(text\/plain\b.*|text\/html\b.*|text\/uri-list|UTF8_STRING|STRING|TEXT|COMPOUND_TEXT|_.*|image\/png|x-special\/.*|x-kde-.*|application\/x-(qt-image|kde-.*)|chromium\/.*)$/;
const MOST_OTHERS = 20;
const UTF8_TARGETS = ['UTF8_STRING', 'text/plain;charset=utf-8', 'text/plain'];

export function toOffer({ text, html, png, files }: ClipboardContent): Offer {
  const offer = new Map<string, Form>();
  const put = (target: string, data: Buffer, type = target): void => void offer.set(target, { type, format: 8, data });
  if (text !== undefined) {
    const utf8 = Buffer.from(text, 'utf8');
    for (const target of UTF8_TARGETS) put(target, utf8);
    put('TEXT', utf8, 'UTF8_STRING');
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
  const text = [...UTF8_TARGETS, 'STRING'].find((target) => targets.includes(target));
  const others = ['text/html', 'image/png', 'text/uri-list'].filter((target) => targets.includes(target));
  return text === undefined ? others : [text, ...others];
}

/** A target of the protocol itself, which holds no content. */
export function isMeta(target: string): boolean {
  return META.has(target);
}

/** What cannot be read counts as concealed. */
export function isConcealed(hint: Form | null): boolean {
  return hint === null || hint.data.toString('latin1').replace(/\0+$/, '').trim() === 'secret';
}

/** What is on offer beside everything {@link fromOffer} can use. */
export function otherTargets(targets: readonly string[]): string[] {
  return targets.filter((target) => !isMeta(target) && !KNOWN.test(target)).slice(0, MOST_OTHERS);
}

export function fromOffer(offer: Offer): ClipboardContent {
  const content: ClipboardContent = {};
  const utf8 = UTF8_TARGETS.map((target) => offer.get(target)).find((form) => form !== undefined);
  const latin1 = offer.get('STRING');
  if (utf8 !== undefined) content.text = utf8.data.toString('utf8');
  else if (latin1 !== undefined) content.text = latin1.data.toString('latin1');
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
