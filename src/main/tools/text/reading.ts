/** Finds the places to read text in, and reads them. */
import * as z from 'zod';
import { findCover } from '../../pipeline/target/scope.js';
import { centre, planReading } from '../../pipeline/target/plans.js';
import { nullIfGone } from '../../pipeline/failures.js';
import type { Plan } from '../../approvals/plan.js';
import type { Recognizer, TextLine, Word } from '../../../native/ocr/index.js';
import { contains, boundingBox } from '../../../base/rect.js';
import {
  DesktopError,
  type App,
  type Capture,
  type CaptureTarget,
  type DesktopReader,
  type Point,
  type Rect,
  type Window,
} from '../../../native/desktop.js';
import { WireError, title } from '../../protocol/index.js';
import { alias } from '../parameters.js';
import { parentSchema, resolveParent } from '../places.js';
import { areaPlan, assertShows, displayId, windowPlan } from '../screen/picture.js';
import { resolveDisplay, mapInOrder, clipToDisplays, regionSchema } from '../geometry.js';
import type { HidingReader } from '../../pipeline/masked.js';
import { waitUntilListed, type AgeOf } from '../../pipeline/target/wait-until-started.js';
import { message } from '../../../messages/index.js';

/** Finds words in recognised text. Pure. */
interface TextMatch {
  /** The text as recognised. */
  text: string;
  frame: Rect;
  /** Lowest confidence of its words, 0 to 100. */
  confidence: number;
}

/** One letter of a line. Spaces are ignored, because recognition adds and loses them. */
interface Letter {
  /** Normalized for comparison; may have more than one character. */
  plain: string;
  word: number;
  at: number;
}

/** Matches in any case and inside words; `exact`: whole words in the same case. In reading order; frames cover the matched letters only. */
export function matchesIn(lines: readonly TextLine[], wanted: string, exact: boolean): TextMatch[] {
  const query = [...wanted.normalize('NFC')]
    .map((letter) => normalizeLetter(letter, exact))
    .join('')
    .replaceAll(/\s/gu, '');
  return query === '' ? [] : lines.flatMap((line) => matchesInLine(line, query, exact));
}

function matchesInLine({ words }: TextLine, query: string, exact: boolean): TextMatch[] {
  const letters = words.flatMap(({ text }, word) =>
    [...text.normalize('NFC')].map((letter, at): Letter => ({ plain: normalizeLetter(letter, exact), word, at })),
  );
  const text = letters.map((letter) => letter.plain).join('');
  const owners = letters.flatMap((letter, index) => Array<number>(letter.plain.length).fill(index));
  const found: TextMatch[] = [];
  for (let start = text.indexOf(query); start >= 0; start = text.indexOf(query, start + 1)) {
    const [from, to] = [owners[start] ?? -1, owners[start + query.length - 1] ?? -1];
    const [first, last] = [letters[from], letters[to]];
    if (first === undefined || last === undefined) continue;
    if (exact && (isInside(letters[from - 1], first) || isInside(letters[to + 1], last))) continue;
    found.push(matchOf(words, first, last));
    start += query.length - 1;
  }
  return found;
}

/** Whether `neighbour` belongs to the same word. */
function isInside(neighbour: Letter | undefined, letter: Letter): boolean {
  return neighbour?.word === letter.word && /[\p{L}\p{N}_]/u.test(neighbour.plain);
}

function matchOf(words: readonly Word[], first: Letter, last: Letter): TextMatch {
  const touched = words.slice(first.word, last.word + 1);
  const parts = touched.map(({ text, frame }, index) => {
    const letters = [...text.normalize('NFC')];
    const from = index === 0 ? first.at : 0;
    const to = index === touched.length - 1 ? last.at + 1 : letters.length;
    return {
      text: letters.slice(from, to).join(''),
      frame: cropRect(frame, from / letters.length, to / letters.length),
    };
  });
  return {
    text: parts.map(({ text }) => text).join(' '),
    frame: boundingBox(parts.map(({ frame }) => frame)),
    confidence: Math.round(Math.min(...touched.map(({ confidence }) => confidence))),
  };
}

const cropRect = ({ x, y, width, height }: Rect, from: number, to: number): Rect => ({
  x: x + width * from,
  y,
  width: width * (to - from),
  height,
});

/** Maps variants of quotes, dashes and similar letters to one form. */
function normalizeLetter(letter: string, exact: boolean): string {
  const one = letter
    .replace(/[‘’‚`´]/u, "'")
    .replace(/[“”„«»]/u, '"')
    .replace(/[‐-―−]/u, '-')
    .replace('…', '...');
  return exact ? one : one.toLowerCase();
}

export const textFields = {
  text: z.string().trim().min(1).max(500),
  exact: z.boolean().default(false).describe('Whole words, same case.'),
  parent: z.string().max(500).optional().describe('Application or window; default: in front'),
  window: alias(parentSchema),
  region: regionSchema.optional(),
  display_id: displayId.optional(),
  display: alias(displayId),
  language: z.string().min(1).max(100).default('eng'),
};
/** Rarely used fields are accepted but not published; find_text publishes them. */
export const clickTextFields = { ...textFields, region: alias(regionSchema), language: alias(textFields.language) };

export interface TextQuery {
  text: string;
  exact: boolean;
  parent?: string | undefined;
  window?: string | undefined;
  region?: Rect | undefined;
  display_id?: string | undefined;
  display?: string | undefined;
  language?: string | undefined;
}

export interface TextPlace {
  /** null: that part of the screen, with any windows in it. */
  window: Window | null;
  rect: Rect;
  capture: CaptureTarget;
}

/** A match with its window (null: unknown) and the window that covers its centre (null: none, so a click reaches it). */
export interface PlacedMatch extends TextMatch {
  window: Window | null;
  cover: Window | null;
}

/** A region or display as shown; a whole window; all visible windows of an application, front to back; by default the front window, else the main display. */
export async function findTextPlaces(
  desktop: HidingReader,
  ageOf: AgeOf,
  asked: TextQuery,
  signal: AbortSignal,
): Promise<TextPlace[]> {
  const { region, display_id: id = asked.display, parent = asked.window } = asked;
  if (region !== undefined) {
    const rect = await clipToDisplays(desktop, region, id, signal);
    return [{ window: null, rect, capture: { kind: 'region', rect } }];
  }
  const named = id === undefined && parent !== undefined ? await windowsOf(desktop, ageOf, parent, signal) : [];
  const front = id === undefined && named.length === 0 ? (await desktop.frontmost(signal)).window : null;
  const windows = front?.visible === true ? [front] : named;
  if (windows.length > 0) return windows.map(wholeWindow);
  const display = await resolveDisplay(desktop, id, signal);
  return [{ window: null, rect: display.frame, capture: { kind: 'display', displayId: display.id } }];
}

function wholeWindow(window: Window): TextPlace {
  assertShows(window);
  return { window, rect: window.frame, capture: { kind: 'window', windowId: window.id } };
}

/** Without window titles, because errors show it before an approval. */
export function placesLabel([first, ...rest]: readonly TextPlace[]): string {
  if (first === undefined || first.window === null) return 'that part of the screen';
  return rest.length === 0
    ? `the window of ${first.window.app.name}`
    : `the ${rest.length + 1} windows of ${first.window.app.name}`;
}

/** The named window, or all visible windows of the named application; one hidden window where none is visible. Empty without a name. */
async function windowsOf(desktop: HidingReader, ageOf: AgeOf, parent: string, signal: AbortSignal): Promise<Window[]> {
  const look = () => resolveParent(desktop, parent, signal);
  const { app, window } = await waitUntilListed(desktop, ageOf, parent, look, signal);
  if (window !== null) return [window];
  if (app === null) return [];
  const own = (await desktop.windows(signal)).filter((one) => one.app.pid === app.pid && one.tooltip !== true);
  const shown = own.filter(({ visible }) => visible);
  const [hidden] = own;
  if (shown.length > 0) return shown;
  if (hidden !== undefined) return [hidden];
  throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.no_window', { app: app.name }), {
    reason: 'no_window',
  });
}

const IN_WINDOW = title('title.read_text_in_window');

export async function readingTextPlan(
  desktop: HidingReader,
  ageOf: AgeOf,
  asked: TextQuery,
  signal: AbortSignal,
): Promise<Plan> {
  const { parent = asked.window } = asked;
  const [place] = await findTextPlaces(desktop, ageOf, asked, signal);
  if (place === undefined) throw new Error('no place to read');
  if (place.window === null) return areaPlan(desktop, place.rect, signal, 'title.read_text_in_area');
  const { app, window } = await resolveParent(desktop, parent, signal);
  if (app === null || window !== null) return windowPlan(place.window, false, IN_WINDOW);
  return wholeAppPlan(desktop, parent ?? '', app, signal);
}

/** Discloses all windows that the application shows when the text is read. */
async function wholeAppPlan(desktop: DesktopReader, name: string, app: App, signal: AbortSignal): Promise<Plan> {
  const plan = await planReading(desktop, name, { app, window: null, scope: { pid: app.pid } }, signal);
  return { ...plan, subject: { ...plan.subject, title: IN_WINDOW } };
}

/** Matches in the order of the places, in reading order within each. */
export async function readText(
  desktop: DesktopReader,
  recognizer: Recognizer,
  places: readonly TextPlace[],
  { text, exact, language = 'eng' }: TextQuery,
  signal: AbortSignal,
): Promise<{ capture: Capture; matches: PlacedMatch[] }> {
  const captures: Capture[] = [];
  const found: { place: TextPlace; match: TextMatch }[] = [];
  for (const place of places) {
    const capture = await desktop.capture(place.capture, signal).catch(places.length > 1 ? nullIfGone : rethrow);
    if (capture === null) continue;
    captures.push(capture);
    const lines = await recognizer.recognize(capture, language, signal);
    found.push(...matchesIn(lines, text, exact).map((match) => ({ place, match })));
  }
  const windows = found.length === 0 ? [] : await desktop.windows(signal);
  const matches = await mapInOrder(found, ({ place, match }) => placeMatches(desktop, windows, place, match, signal));
  return { capture: stackCaptures(captures), matches };
}

function rethrow(thrown: unknown): never {
  throw thrown;
}

async function placeMatches(
  desktop: DesktopReader,
  windows: readonly Window[],
  { window }: TextPlace,
  match: TextMatch,
  signal: AbortSignal,
): Promise<PlacedMatch> {
  const point = centre(match.frame);
  if (window === null) return { ...match, window: topmostAt(windows, point), cover: null };
  // A frame only says what may cover it; the window at the point is what a click would hit.
  if (findCover(windows, window, { ...point, width: 1, height: 1 }) === null) return { ...match, window, cover: null };
  const top = await desktop.windowAt(point, signal);
  return { ...match, window, cover: top === null || top.id === window.id ? null : top };
}

const topmostAt = (windows: readonly Window[], point: Point): Window | null =>
  windows.find(({ visible, tooltip, frame }) => visible && tooltip !== true && contains(frame, point)) ?? null;

/** All captures in one picture, one below the other. */
function stackCaptures(captures: readonly Capture[]): Capture {
  const [first] = captures;
  if (first === undefined) throw new DesktopError('not_found', message('error.windows_closed_while_read'));
  if (captures.length === 1) return first;
  const width = Math.max(...captures.map((one) => one.width));
  const height = captures.reduce((sum, one) => sum + one.height, 0);
  const rgb = new Uint8Array(width * height * 3);
  let row = 0;
  for (const one of captures) {
    for (let line = 0; line < one.height; line += 1, row += 1)
      rgb.set(one.rgb.subarray(line * one.width * 3, (line + 1) * one.width * 3), row * width * 3);
  }
  return { ...first, width, height, rgb };
}
