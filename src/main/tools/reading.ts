/** Where text is read, and reading it. */
import * as z from 'zod';
import type { Plan } from '../action/plan.js';
import type { Recognizer } from '../../native/ocr/index.js';
import type { Capture, CaptureTarget, DesktopReader, Rect, Window } from '../../native/desktop.js';
import { WireError } from '../protocol/index.js';
import { alias, parentSchema, scopeOf } from './common.js';
import { areaPlan, assertShows, displayId, windowPlan } from './disclosing.js';
import { displayNamed, onDisplays } from './geometry.js';
import { matchesIn } from './matching.js';
import type { TextMatch } from './matching.js';

const area = z
  .object({ x: z.number(), y: z.number(), width: z.number().positive(), height: z.number().positive() })
  .strict();

export const textFields = {
  text: z.string().trim().min(1).max(500),
  exact: z.boolean().default(false).describe('Whole words, same case.'),
  parent: z.string().max(500).optional().describe('Application or window; default: the one in front.'),
  window: alias(parentSchema),
  region: area.optional(),
  display_id: displayId.optional(),
  display: alias(displayId),
  language: z.string().min(1).max(100).default('eng'),
};
/** Accepted as well; find_text publishes them. */
export const lessTextFields = { ...textFields, region: alias(area), language: alias(textFields.language) };

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
  /** null: whatever shows on that part of the screen. */
  window: Window | null;
  rect: Rect;
  capture: CaptureTarget;
}

/** A region or display as it shows; an application's window whole; else the window in front, else the main display. */
export async function placeOfText(desktop: DesktopReader, asked: TextQuery, signal: AbortSignal): Promise<TextPlace> {
  const { region, display_id: id = asked.display, parent = asked.window } = asked;
  if (region !== undefined) {
    const rect = await onDisplays(desktop, region, id, signal);
    return { window: null, rect, capture: { kind: 'region', rect } };
  }
  const named = id === undefined && parent !== undefined ? await windowOf(desktop, parent, signal) : null;
  const window = named ?? (id === undefined ? (await desktop.frontmost(signal)).window : null);
  if (window === null || (named === null && !window.visible)) {
    const display = await displayNamed(desktop, id, signal);
    return { window: null, rect: display.frame, capture: { kind: 'display', displayId: display.id } };
  }
  assertShows(window);
  return { window, rect: window.frame, capture: { kind: 'window', windowId: window.id } };
}

/** Without the title of a window: errors say it before anybody was asked. */
export const nameOfPlace = ({ window }: TextPlace): string =>
  window === null ? 'that part of the screen' : `the window of ${window.app.name}`;

/** The window named, or the topmost one of the application named. */
async function windowOf(desktop: DesktopReader, parent: string, signal: AbortSignal): Promise<Window | null> {
  const { app, window } = await scopeOf(desktop, parent, signal);
  if (window !== null || app === null) return window;
  const own = (await desktop.windows(signal)).filter((one) => one.app.pid === app.pid);
  const found = own.find((one) => one.visible && one.normal) ?? own[0];
  if (found !== undefined) return found;
  throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', `${app.name} has no window.`, { reason: 'no_window' });
}

const IN_WINDOW = { verb: 'Read the text in', done: 'Read the text in' };
const ON_SCREEN = { verb: 'Read the text on', done: 'Read the text on' };

export async function readingTextPlan(desktop: DesktopReader, asked: TextQuery, signal: AbortSignal): Promise<Plan> {
  const place = await placeOfText(desktop, asked, signal);
  return place.window === null
    ? areaPlan(desktop, place.rect, signal, ON_SCREEN)
    : windowPlan(place.window, false, IN_WINDOW);
}

export async function readText(
  desktop: DesktopReader,
  recognizer: Recognizer,
  place: TextPlace,
  { text, exact, language = 'eng' }: TextQuery,
  signal: AbortSignal,
): Promise<{ capture: Capture; matches: TextMatch[] }> {
  const capture = await desktop.capture(place.capture, signal);
  const lines = await recognizer.recognize(capture, language, signal);
  return { capture, matches: matchesIn(lines, text, exact) };
}
