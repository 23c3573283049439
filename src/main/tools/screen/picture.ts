/** Parameters of pictures, and their delivery to agents. */
import * as z from 'zod';
import type { ReadContext } from '../../pipeline/context.js';
import { WireError, title, type Title } from '../../protocol/index.js';
import type { Capture, Rect, Element, Tree, DesktopReader, Window } from '../../../native/desktop.js';
import { imageIdOf, imageSchema, infoOf, isSameImage, resolveImage, type Images } from '../images.js';
import { alias, unpublished } from '../parameters.js';
import type { ToolDeps } from '../tool.js';
import { message } from '../../../messages/index.js';
import { intersect, overlaps } from '../../../base/rect.js';
import { resolveWindow } from '../places.js';
import { planDisclosure, planWindow, formatPoint } from '../../pipeline/target/plans.js';

// Plans for taking a picture of a window, or of a part of the screen with the applications in it.

const PICTURE = title('title.picture_window');
/** Accepts a number as well; published as a string. */
export const displayId = z.coerce.string().max(200);

export async function windowOrFront(
  desktop: DesktopReader,
  name: string | undefined,
  signal: AbortSignal,
): Promise<Window> {
  if (name !== undefined) return resolveWindow(desktop, name, signal);
  const { window } = await desktop.frontmost(signal);
  if (window !== null) return window;
  throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.no_window_in_front'), {
    reason: 'no_window',
    next: 'Name one; list_windows has them.',
  });
}

export function assertShows(window: Window): void {
  if (window.visible) return;
  throw new WireError(
    'DESKTOP_ELEMENT_NOT_FOUND',
    message(window.minimized ? 'error.minimised' : 'error.not_on_screen', { title: window.title }),
    {
      reason: window.minimized ? 'minimized' : 'not_visible',
      next: `Bring it back with ${window.minimized ? 'restore_window' : 'focus_window'} first.`,
    },
  );
}

export async function windowPlan(window: Window, numbered: boolean, act: Title = PICTURE) {
  assertShows(window);
  return planWindow(window, { title: act, covers: numbered ? [message('note.reads_its_controls')] : [] });
}

/** A region of the screen. The approval covers only this region; the card names the applications in it. */
export async function areaPlan(
  desktop: DesktopReader,
  rect: Rect,
  signal: AbortSignal,
  code: 'title.picture_area' | 'title.read_text_in_area' = 'title.picture_area',
) {
  const [width, height] = [String(Math.round(rect.width)), String(Math.round(rect.height))];
  const point = formatPoint({ x: Math.round(rect.x), y: Math.round(rect.y) });
  return planDisclosure(
    { title: title(code, { width, height, point }) },
    { app: await appsIn(desktop, rect, signal), place: null, rect, part: true },
  );
}

const MAX_NAMED_APPS = 4;

/** The applications with windows there, topmost first; null for the bare desktop. */
export async function appsIn(desktop: DesktopReader, area: Rect, signal: AbortSignal): Promise<string | null> {
  const windows = (await desktop.windows(signal)).filter((one) => one.visible && overlaps(one.frame, area));
  const names = [...new Set(windows.map(({ app }) => app.name))];
  if (names.length === 0) return null;
  const rest = names.length - MAX_NAMED_APPS;
  return `${names.slice(0, MAX_NAMED_APPS).join(', ')}${rest > 0 ? ', …' : ''}`;
}

/** Selects the controls of a tree, with their visible frames and labels. Pure. */
export interface Mark {
  element: Element;
  label: string;
  /** The visible part of its frame, in points. */
  frame: Rect;
}

export interface Candidate extends Mark {
  inMenu: boolean;
}

/** Controls smaller than this cannot be told apart. */
const MIN_SIDE_POINTS = 5;
const MAX_INNER_TEXTS = 8;
const MAX_LABEL_LENGTH = 60;
/** Marked even if they report no actions. */
const CONTROLS: ReadonlySet<string> = new Set([
  'AXButton', 'AXCheckBox', 'AXRadioButton', 'AXTextField', 'AXTextArea', 'AXComboBox', 'AXPopUpButton', 'AXMenuButton', 'AXMenuItem', 'AXMenuBarItem',
  'AXLink', 'AXSlider', 'AXIncrementor', 'AXDisclosureTriangle', 'AXSwitch', 'AXColorWell', 'AXDateField',
]); // prettier-ignore
/** Never marked, though some applications give them an action. */
const NOT_CONTROLS: ReadonlySet<string> = new Set([
  'AXApplication', 'AXWindow', 'AXSheet', 'AXWebArea', 'AXScrollArea', 'AXScrollBar', 'AXStaticText', 'AXToolbar', 'AXMenuBar', 'AXTabGroup', 'AXTable', 'AXOutline', 'AXList', 'AXGroup', 'AXHeading',
]); // prettier-ignore
const CLIPPING: ReadonlySet<string> = new Set(['AXScrollArea', 'AXWebArea']);

/** What descendants inherit from a node. */
interface Around {
  /** The area that clips them; null: not visible at all. */
  clip: Rect | null;
  /** The enclosing control. */
  control: Rect | null;
  inMenu: boolean;
  inComboBox: boolean;
}

/** In tree order. A control inside another of the same size counts once. Items of an open menu may lie anywhere in `area`, because the menu is a window of its own. */
export function candidates(tree: Tree, inWindow: Rect, area: Rect, menus: boolean): Candidate[] {
  const all: Around[] = [];
  const found: Candidate[] = [];
  for (const [index, { element, parent }] of tree.nodes.entries()) {
    const outer = all[parent] ?? { clip: inWindow, control: null, inMenu: false, inComboBox: false };
    const { frame, role } = element;
    const inMenu = outer.inMenu && role !== 'AXMenuBar';
    const clip = inMenu ? (menus ? area : null) : outer.clip;
    const seen = frame === null || clip === null || outer.inComboBox ? null : intersect(frame, clip);
    const marked = seen !== null && isControl(element) && isSeen(element, seen) && !isSame(seen, outer.control);
    all.push({
      clip: CLIPPING.has(role) && frame !== null ? seen : outer.clip,
      control: marked ? seen : outer.control,
      inMenu: inMenu || role === 'AXMenu',
      inComboBox: outer.inComboBox || role === 'AXComboBox',
    });
    if (marked) found.push({ element, label: labelOf(tree, index), frame: seen, inMenu });
  }
  return found;
}

function isControl({ role, actions, states, title, description }: Element): boolean {
  if (!states.visible || !states.enabled || NOT_CONTROLS.has(role)) return false;
  if (CONTROLS.has(role) || states.editable) return true;
  if (role === 'AXRow' || role === 'AXCell') return actions.length > 0 || states.selected !== null;
  return actions.includes('AXPress') && (title !== '' || description !== '');
}

function isSeen({ frame }: Element, seen: Rect): boolean {
  return frame !== null && seen.width >= MIN_SIDE_POINTS && seen.height >= MIN_SIDE_POINTS;
}

function isSame(frame: Rect, around: Rect | null): boolean {
  const shared = around === null ? null : intersect(frame, around);
  if (around === null || shared === null) return false;
  return shared.width * shared.height > 0.8 * around.width * around.height;
}

/** The label: its own name, else the texts inside it. */
function labelOf(tree: Tree, index: number): string {
  const own = tree.nodes[index];
  if (own === undefined) return '';
  const { title, description } = own.element;
  if (title !== '' || description !== '') return title === '' ? description : title;
  for (const { element, depth } of tree.nodes.slice(index + 1, index + 1 + MAX_INNER_TEXTS)) {
    if (depth <= own.depth) break;
    const words = element.title === '' ? (element.value ?? '') : element.title;
    if (words !== '' && !element.states.secure) return words.slice(0, MAX_LABEL_LENGTH);
  }
  return '';
}

/** Longest side that vision models read without scaling. */
export const MAX_SIDE = 1568;
const MAX_ALLOWED_SIDE = 8192;
const QUALITY = 85;
/** A reply is limited to 16 MiB, and base64 adds a third. */
const MAX_BYTES = 10 * 1024 * 1024;
const MAX_TEXT_LENGTH = 20_000;

const quality = z.number().int().min(1).max(100);
const side = z.number().int().min(16).max(MAX_ALLOWED_SIDE);
/** Parameters of every picture tool; some publish more of them. */
export const pictureFields = {
  format: z.enum(['png', 'jpeg', 'webp']).default('png'),
  include_ocr: z.boolean().default(false),
  quality: alias(quality),
  max_width: alias(side),
  max_height: alias(side),
  if_changed: alias(z.string().min(1).max(100)),
};
/** For the tools that publish it. */
export const ifChangedField = {
  if_changed: pictureFields.if_changed
    .unwrap()
    .optional()
    .describe('An image id you have: no picture if it looks the same.'),
};
export const qualityField = { quality: quality.optional() };
export const sizeFields = { max_width: side.optional(), max_height: side.optional() };

const markSchema = z.object({ number: z.number().int(), elementId: z.string(), role: z.string(), title: z.string() });
export const pictureResultSchema = z.object({
  image: imageSchema,
  /** The image is the one of `if_changed`, and is not sent again. */
  unchanged: unpublished(z.literal(true).optional()),
  marks: z.array(markSchema).optional(),
  text: z.string().optional(),
  notes: z.array(z.string()),
});
export type PictureResult = z.infer<typeof pictureResultSchema>;

export interface PictureInput {
  format: 'png' | 'jpeg' | 'webp';
  quality?: number | undefined;
  include_ocr: boolean;
  max_width?: number | undefined;
  max_height?: number | undefined;
  if_changed?: string | undefined;
}

interface Shot {
  capture: Capture;
  /** Enlargement, where it fits. */
  times?: number;
  marks?: readonly Mark[];
  notes?: string[];
}

/**
 * Saves the picture as evidence, scales and encodes it, stores it for later calls and, on request, recognises its text. It is left
 * out only where the agent names what it has: clients drop old pictures.
 */
export async function deliverPicture(
  ctx: ReadContext,
  { images, references, recognizer }: ToolDeps,
  { capture, times = 1, marks = [], notes = [] }: Shot,
  asked: PictureInput,
  signal: AbortSignal,
): Promise<PictureResult> {
  const saved = ctx.imaging.png(capture).then((png) => ctx.saveEvidence('observe.png', png));
  const encoding = ctx.imaging.encode(capture, encodingOf(capture, times, marks, asked));
  const [{ bytes, ...encoded }] = await Promise.all([encoding, saved]).finally(async () => {
    await Promise.allSettled([encoding, saved]);
    if (!asked.include_ocr) capture.rgb.release?.();
  });
  if (bytes.length > MAX_BYTES) throw tooLarge(bytes.length);
  const owner = ctx.caller.agent.id;
  const own = references(owner);
  const named = marks.map(({ element, label }, index) => {
    const { elementId, role } = own.refer(element);
    return { number: index + 1, elementId, role, title: label };
  });
  const made = {
    ...encoded,
    bytes,
    scale: (capture.scale * encoded.width) / capture.width,
    origin: capture.origin,
    native: { width: capture.width, height: capture.height, scale: capture.scale },
    marks: named.map(({ elementId }) => elementId),
    toldWith: JSON.stringify([named, asked.include_ocr]),
  };
  const known = asked.if_changed === undefined ? null : images.get(imageIdOf(asked.if_changed), owner);
  if (known !== null && isSameImage(known, made)) return { image: infoOf(known), unchanged: true, notes };
  const image = images.put(made, owner);
  const lines = asked.include_ocr ? await recognizer.recognize(capture, 'eng', signal) : null;
  const text = lines?.map((line) => line.text).join('\n');
  return {
    image,
    notes: [...notes, ...(text === '' ? ['There is no text in it that can be read.'] : [])],
    ...(named.length === 0 ? {} : { marks: named }),
    ...(text === undefined || text === '' ? {} : { text: text.slice(0, MAX_TEXT_LENGTH) }),
  };
}

/** For a picture without marks: it is encoded beside the look for what must be covered by now, and mostly nothing must. */
export const encodeAhead =
  ({ imaging }: Pick<ReadContext, 'imaging'>, asked: PictureInput, timesOf: (capture: Capture) => number = () => 1) =>
  (capture: Capture): void => {
    imaging.encode(capture, encodingOf(capture, timesOf(capture), [], asked)).catch(() => undefined);
    imaging.png(capture).catch(() => undefined);
  };

function encodingOf(capture: Capture, times: number, marks: readonly Mark[], asked: PictureInput) {
  const { format, quality = QUALITY, max_width: wide, max_height: high } = asked;
  return { ...sizeFor(capture, times, wide, high), format, quality, marks: marks.map(({ frame }) => frame) };
}

function sizeFor({ width, height }: Capture, times: number, wide: number | undefined, high: number | undefined) {
  const otherwise = wide === undefined && high === undefined ? MAX_SIDE : MAX_ALLOWED_SIDE;
  const [maxWidth, maxHeight] = [wide ?? otherwise, high ?? otherwise];
  const room = Math.floor(Math.min(maxWidth / width, maxHeight / height));
  return { maxWidth, maxHeight, times: Math.max(1, Math.min(times, room)) };
}

function tooLarge(bytes: number): WireError {
  return new WireError(
    'DESKTOP_INVALID_REQUEST',
    message('error.picture_too_large', { megabytes: Math.round(bytes / 1e6) }),
    { reason: 'too_large', next: 'Ask for format jpeg or webp, or for a smaller max_width.' },
  );
}

export function pictureText({ image, unchanged, marks, text, notes }: PictureResult): string {
  const { width, height, scale, origin, id } = image;
  if (unchanged === true)
    return [`Looks the same as image ${id}, so it is not sent again; without if_changed it is.`, ...notes].join('\n');
  return [
    `${width}×${height} px, ${short(scale)} px per point, top left at (${short(origin.x)}, ${short(origin.y)}). To click in it: space "image:${id}".`,
    ...notes,
    ...(marks === undefined ? [] : [`Marks (element_id "mark:1@${id}" is number 1):`]),
    ...(marks ?? []).map((one) => `${one.number} ${one.role} “${one.title}” ${one.elementId}`),
    ...(text === undefined ? [] : ['Text:', text]),
  ].join('\n');
}

const short = (value: number): string => String(Math.round(value * 10_000) / 10_000);

/** Converts a rectangle of image pixels to points, including the outer edges of its pixels. */
export function toRect(images: Images, rect: Rect, space: string | undefined, owner: string): Rect {
  const image = resolveImage(images, space, owner);
  if (image === null) return rect;
  const { native, origin, width, height } = image;
  const [across, down] = [native.width / width / native.scale, native.height / height / native.scale];
  return {
    x: origin.x + rect.x * across,
    y: origin.y + rect.y * down,
    width: rect.width * across,
    height: rect.height * down,
  };
}
