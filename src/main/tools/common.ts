import * as z from 'zod';
import type { AnyAction } from '../pipeline/action.js';
import type { ReferencesOf } from '../pipeline/target/references.js';
import type { HandlerHolds } from '../pipeline/holds.js';
import { findPlace, findPlaceOfProcess, type Place } from '../pipeline/target/scope.js';
import type { App, Capture, DesktopReader, Point, Window } from '../../native/desktop.js';
import type { Recognizer } from '../../native/ocr/index.js';
import { WireError } from '../protocol/index.js';
import type { Macros, Sessions } from '../sessions/index.js';
import type { CommandRunner } from '../../native/process/index.js';
import type { ClipboardHistory, Observations } from '../desktop/watch/index.js';
import type { StartedApps } from './applications/opened.js';
import type { Pager } from './paging.js';
import type { AgeOf } from '../pipeline/target/wait-until-started.js';
import type { Snapshots } from './tree/snapshots.js';
import { message, type Message } from '../../messages/index.js';

/** One MCP tool: its action and its place in lists. */
export interface Tool {
  group: string;
  /** Part of the small `core` profile. */
  core: boolean;
  action: AnyAction;
}

/** The tools of a group, those of the `core` profile first. */
export const toolGroup = (
  group: string,
  { core = [], more = [] }: Partial<Record<'core' | 'more', AnyAction[]>>,
): Tool[] => [
  ...core.map((action) => ({ group, core: true, action })),
  ...more.map((action) => ({ group, core: false, action })),
];

/** Metadata of an image; with `space: "image:<id>"` a caller gives coordinates in its pixels. */
export const imageSchema = z.object({
  id: z.string(),
  mimeType: z.string(),
  width: z.number().int(),
  height: z.number().int(),
  /** Image pixels per point; 0 for a picture that is not of the screen. */
  scale: z.number(),
  /** Top left of the image in global points. */
  origin: z.object({ x: z.number(), y: z.number() }),
});
type ImageInfo = z.infer<typeof imageSchema>;

/** Size of the capture before the image was scaled. */
type Native = Pick<Capture, 'width' | 'height' | 'scale'>;

export interface KeptImage extends ImageInfo {
  bytes: Uint8Array;
  native: Native;
  /** Element ids of the numbers drawn on it, starting with 1. */
  marks: readonly string[];
}

export interface Images {
  /** `owner` is the agent that gets it; for other agents it does not exist. */
  put(image: Omit<KeptImage, 'id'>, owner: string): ImageInfo;
  get(id: string, owner: string): KeptImage | null;
}

export interface ToolDeps {
  references: ReferencesOf;
  images: Images;
  pages: Pager;
  snapshots: Snapshots;
  opened: StartedApps;
  holds: HandlerHolds;
  sessions: Sessions;
  macros: Macros;
  observations: Observations;
  recognizer: Recognizer;
  ageOf: AgeOf;
  clipboard: ClipboardHistory;
  shell: Pick<CommandRunner, 'run' | 'prepare'>;
  /** Environments of commands, without and with access to the desktop. */
  commandEnv: Readonly<Record<'plain' | 'desktop', Readonly<Record<string, string>>>>;
  /** Masked desktop for work between calls. Handlers use the one of their context. */
  desktop: DesktopReader;
}

export const parentSchema = z
  .string()
  .max(500)
  .optional()
  .describe('applications/{pid}, …/windows/{id} or an application id; default: the one in front.');

/** Whether the text has no lone surrogates, so that UTF-8 can represent it. */
export const isWellFormed = (text: string): boolean => !/\p{Cs}/u.test(text);

/** An alias of a parameter: accepted but not published. */
export const alias = <T extends z.ZodType>(schema: T) => schema.optional().meta({ unpublished: true });

/** Leaves a result field that is always present out of the published schema. */
export const unpublished = <T extends z.ZodType>(schema: T) => schema.meta({ unpublished: true });

export const invalidRequest = (text: string | Message, reason = 'invalid_params', next?: string): WireError =>
  new WireError('DESKTOP_INVALID_REQUEST', text, { reason, ...(next === undefined ? {} : { next }) });

/** The application and window that `parent` names; both null without a name. */
export async function resolveParent(
  desktop: DesktopReader,
  parent: string | undefined,
  signal: AbortSignal,
): Promise<{ app: App | null; window: Window | null }> {
  if (parent === undefined || parent === '' || parent === '-' || parent === 'applications/-')
    return { app: null, window: null };
  const named = /^applications\/([^/]+)(?:\/windows\/([^/]+))?$/.exec(parent);
  const wanted = named?.[1] ?? parent;
  const apps = await desktop.apps(signal);
  const app = apps.find((one) => String(one.pid) === wanted) ?? (await findAppByName(desktop, apps, wanted, signal));
  if (app === undefined)
    throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.names_no_app', { name: parent }), {
      reason: 'no_such_place',
      running: apps.slice(0, 30).map((one) => `applications/${one.pid} (${one.id})`),
      next: 'Use one that runs (see details, or list_applications), or open it with open_application.',
    });
  const windowId = named?.[2];
  if (windowId === undefined) return { app, window: null };
  return { app, window: await findWindowById(desktop, app.pid, windowId, signal) };
}

/** Of several processes of one application, the one with the topmost window. */
async function findAppByName(
  desktop: DesktopReader,
  apps: readonly App[],
  name: string,
  signal: AbortSignal,
): Promise<App | undefined> {
  const called = apps.filter((one) => [one.id, one.name].some((each) => each.toLowerCase() === name.toLowerCase()));
  if (called.length < 2) return called[0];
  const top = (await desktop.windows(signal)).find(({ app }) => called.some(({ pid }) => pid === app.pid));
  return called.find(({ pid }) => pid === top?.app.pid) ?? called[0];
}

/** The application or window that `name` names; by default what is in front. */
export async function resolvePlace(
  desktop: DesktopReader,
  name: string | undefined,
  signal: AbortSignal,
): Promise<Place> {
  const { app, window } = await resolveParent(desktop, name, signal);
  if (app === null) return findPlace(desktop, undefined, signal);
  if (window === null) return findPlaceOfProcess(desktop, app.pid, signal);
  return { app, window, scope: { pid: app.pid, windowId: window.id } };
}

async function findWindowById(desktop: DesktopReader, pid: number, id: string, signal: AbortSignal): Promise<Window> {
  const windows = (await desktop.windows(signal)).filter((window) => window.app.pid === pid);
  const window = windows.find((one) => one.id === id) ?? onlyTitled(windows, id);
  if (window !== undefined) return window;
  throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', `applications/${pid} has no window ${id}.`, {
    reason: 'no_such_window',
    windows: windows.map(windowName),
    next: 'Use one of those in details, or see list_windows.',
  });
}

/** A window by `title:` and its percent-encoded title, which stays valid when the window is reopened; only where one window fits. */
function onlyTitled(windows: Window[], id: string): Window | undefined {
  const titled = windows.filter((window) => id === `title:${encodeURIComponent(window.title)}`);
  return titled.length === 1 ? titled[0] : undefined;
}

export async function resolveWindow(desktop: DesktopReader, name: string, signal: AbortSignal): Promise<Window> {
  const { window } = name.startsWith('applications/') ? await resolveParent(desktop, name, signal) : { window: null };
  if (window !== null) return window;
  throw invalidRequest(
    `${name} is no name of a window: see list_windows.`,
    'no_window_name',
    'Names of windows look like applications/123/windows/456; list_windows gives them with their titles.',
  );
}

const STARTS_WITH_ID = /^applications\/(?!-(?:\/|$)|\d+(?:\/|$))([^/]+)(.*)$/s;

/** Replaces the application id in `applications/{id}…` with the running process; other names are unchanged. */
export async function withPid(desktop: DesktopReader, name: string, signal: AbortSignal): Promise<string> {
  const [, id, rest = ''] = STARTS_WITH_ID.exec(name) ?? [];
  const { app } = await resolveParent(desktop, id, signal);
  return app === null ? name : `${appName(app)}${rest}`;
}

export const appName = (app: App): string => `applications/${app.pid}`;

export const windowName = (window: Window): string => `applications/${window.app.pid}/windows/${window.id}`;

/** `e:12`, the upstream form `applications/{pid}/elements/e:12`, or `mark:7@<image id>`: a number drawn on that screenshot. */
export function elementIdOf(images: Images, given: string, owner: string): string {
  const mark = /^mark:(\d+)@(?:image:)?(.+)$/.exec(given);
  if (mark === null && !/^(?:mark:?)?\s*\d+$/.test(given)) return given.replace(/^applications\/[^/]+\/elements\//, '');
  if (mark === null)
    throw invalidRequest(
      `element_id: ${given} does not say of which screenshot.`,
      'unknown_mark',
      'A number drawn on a screenshot is "mark:<number>@<image id>"; other ids look like "e:12".',
    );
  const found = images.get(mark[2] ?? '', owner)?.marks[Number(mark[1]) - 1];
  if (found !== undefined) return found;
  throw invalidRequest(
    `element_id: ${given} is no mark on a screenshot of yours that this host still has.`,
    'unknown_mark',
    'Take a new screenshot with marks, and use its image id and one of its numbers.',
  );
}

export const spaceSchema = z.string().max(200).optional().describe('"image:<id>": x, y in its pixels.');

/** The image a `space` names; null where it means global points. */
export function resolveImage(images: Images, space: string | undefined, owner: string): KeptImage | null {
  if (space === undefined || space === 'points' || space === 'screen') return null;
  const image = images.get(space.replace(/^image:/, ''), owner);
  if (image !== null && image.scale > 0) return image;
  throw invalidRequest(
    `space: ${space} is no image of yours that this host still has.`,
    'unknown_image',
    'Take a new screenshot and use its image id.',
  );
}

/** Converts the centre of an image pixel to points, through the native pixel shown there, so scaled images stay exact. */
export function toPoint(images: Images, at: Point, space: string | undefined, owner: string): Point {
  const image = resolveImage(images, space, owner);
  if (image === null) return at;
  if (at.x < 0 || at.y < 0 || at.x >= image.width || at.y >= image.height)
    throw invalidRequest(
      `(${at.x}, ${at.y}) lies outside the image (${image.width}×${image.height}).`,
      'outside_image',
    );
  const { native, origin } = image;
  const along = (pixel: number, pixels: number, of: number) =>
    Math.min(of - 1, Math.floor(((pixel + 0.5) * of) / pixels)) / native.scale;
  return {
    x: origin.x + along(at.x, image.width, native.width),
    y: origin.y + along(at.y, image.height, native.height),
  };
}
