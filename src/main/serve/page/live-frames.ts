import { setTimeout as delay } from 'node:timers/promises';
import { maskedReader } from '../../pipeline/masked.js';
import type { Imaging } from '../../evidence/imaging.js';
import type { Protection } from '../../pipeline/mask-rules.js';
import { contains } from '../../../base/rect.js';
import { withFirstOf } from '../../../base/poll.js';
import { DesktopError, type Capture, type DesktopReader, type Point, type Rect } from '../../../native/desktop.js';
import { MAX_FRAME_SIDE_PX, WireError, type Frame, type NoFrameReason, type Picture } from '../../protocol/index.js';

interface LiveFramesOptions {
  desktop: DesktopReader;
  protection: Protection;
  imaging: Pick<Imaging, 'encode' | 'mask'>;
  /** Ids of the windows agents act on, latest last. */
  actedWindows(): string[];
  /** The screen in front of the person: single pictures only. */
  onlySingle: boolean;
  now(): Date;
}

/** Frames of the desktop as the person sees it. All pages share one capture; nothing is captured without a viewer. */
export type LiveFrames = ReturnType<typeof createLiveFrames>;

interface Viewer {
  still: boolean;
  send(frame: Frame): void;
  /** It has acknowledged its last frame. */
  ready: boolean;
  sent: number;
  seen: { look: number; picture: number };
}

interface ScreenState {
  picture: Picture | null;
  pointer: Point | null;
  ring: Rect | null;
  noFrameReason: NoFrameReason | null;
}

const NOTHING: ScreenState = { picture: null, pointer: null, ring: null, noFrameReason: null };
/** Between two captures: while something changes, while nothing does, and while nothing can be captured. */
const GAPS_MS = { busy: 250, quiet: 500, failed: 1_000 };
const BUSY_FOR_MS = 3_000;
const CAPTURE_TIMEOUT_MS = 5_000;
const JPEG_QUALITY = 78;

export function createLiveFrames(options: LiveFramesOptions) {
  const { desktop, protection, imaging, actedWindows, onlySingle, now } = options;
  /** The person sees everything but our own windows: the page would show itself, and an unspent pairing link. */
  const camera = maskedReader(
    { ...desktop, secureAreas: () => Promise.resolve([]), stack: () => Promise.resolve([]) },
    { protection, imaging, excludedApps: () => new Set() },
  );
  const viewers = new Map<object, Viewer>();
  const ended = new AbortController();
  let last: { capture: Capture | null; seen: ScreenState } = { capture: null, seen: NOTHING };
  const counts = { look: 0, picture: 0 };
  let changedAt = 0;
  let running = false;

  const waiting = () => [...viewers.values()].filter(({ ready }) => ready);

  async function takeFrame(signal: AbortSignal): Promise<void> {
    const next = await captureScreen(signal).catch((thrown: unknown) => ({
      capture: null,
      seen: { ...NOTHING, noFrameReason: reasonOf(thrown) },
    }));
    const repainted = next.capture !== null && next.capture !== last.capture;
    if (repainted) counts.picture += 1;
    if (repainted || JSON.stringify(bare(next.seen)) !== JSON.stringify(bare(last.seen))) {
      counts.look += 1;
      changedAt = Date.now();
    }
    last = next;
  }

  /** Returns the last capture and picture where nothing was painted. */
  async function captureScreen(signal: AbortSignal): Promise<{ capture: Capture; seen: ScreenState }> {
    const taken = await camera.capture({ kind: 'display' }, signal);
    const same = last.capture !== null && isSame(last.capture, taken);
    const capture = same && last.capture !== null ? last.capture : taken;
    const ids = actedWindows();
    const [pointer, windows] = await Promise.all([
      desktop.pointer(signal).catch(() => null),
      ids.length === 0 ? [] : camera.windows(signal),
    ]);
    const window = ids.flatMap((id) => windows.filter((one) => one.id === id && one.visible)).at(-1);
    const seen = {
      picture: same ? last.seen.picture : await encoded(imaging, capture),
      pointer: pointer === null ? null : inside(capture, pointer),
      ring: window === undefined ? null : clipped(capture, window.frame),
      noFrameReason: null,
    };
    return { capture, seen };
  }

  function deliver(): void {
    for (const [key, viewer] of viewers) {
      if (!viewer.ready || viewer.seen.look === counts.look) continue;
      const { picture, ...rest } = last.seen;
      const shown = viewer.seen.picture === counts.picture ? null : picture;
      viewer.ready = false;
      viewer.sent += 1;
      viewer.seen = { ...counts };
      if (viewer.still) viewers.delete(key);
      viewer.send({ type: 'frame', seq: viewer.sent, at: now().toISOString(), picture: shown, ...rest });
    }
  }

  /** Runs while a viewer waits for the next frame. */
  async function run(): Promise<void> {
    const { signal } = ended;
    while (waiting().length > 0 && !signal.aborted) {
      const startedAt = Date.now();
      await withFirstOf([signal, AbortSignal.timeout(CAPTURE_TIMEOUT_MS)], new AbortController(), takeFrame);
      deliver();
      const took = Date.now() - startedAt;
      await delay(Math.max(gap() - took, took), null, { signal });
    }
  }

  function gap(): number {
    if (last.seen.noFrameReason !== null) return GAPS_MS.failed;
    return Date.now() - changedAt < BUSY_FOR_MS || actedWindows().length > 0 ? GAPS_MS.busy : GAPS_MS.quiet;
  }

  function start(): void {
    if (running || ended.signal.aborted || waiting().length === 0) return;
    running = true;
    const over = () => {
      running = false;
      if (viewers.size === 0) last = { capture: null, seen: NOTHING };
      start();
    };
    run().then(over, over);
  }

  return {
    /** `viewer` tells one page from another. The first frame comes at once, each next one after `taken`. */
    show(viewer: object, still: boolean, send: (frame: Frame) => void): void {
      const fresh = { look: -1, picture: -1 };
      viewers.set(viewer, { still: still || onlySingle, send, ready: true, sent: 0, seen: fresh });
      start();
    },
    taken(viewer: object, seq: number): void {
      const known = viewers.get(viewer);
      if (known?.sent !== seq) return;
      known.ready = true;
      start();
    },
    leave: (viewer: object): void => void viewers.delete(viewer),
    close(): void {
      ended.abort();
      viewers.clear();
    },
  };
}

function isSame(one: Capture, other: Capture): boolean {
  return one.width === other.width && one.height === other.height && Buffer.compare(one.rgb, other.rgb) === 0;
}

const bare = ({ pointer, ring, noFrameReason }: ScreenState) => ({ pointer, ring, noFrameReason });

async function encoded(imaging: LiveFramesOptions['imaging'], capture: Capture): Promise<Picture> {
  const size = { maxWidth: MAX_FRAME_SIDE_PX, maxHeight: MAX_FRAME_SIDE_PX };
  const { bytes, width, height } = await imaging.encode(capture, { ...size, format: 'jpeg', quality: JPEG_QUALITY });
  const base64 = Buffer.from(bytes).toString('base64');
  return { mimeType: 'image/jpeg', base64, width, height, target: null };
}

/** In the pixels of the picture that is sent. */
function toPicture({ origin, scale, width, height }: Capture, { x, y }: Point): Point {
  const factor = scale * Math.min(1, MAX_FRAME_SIDE_PX / width, MAX_FRAME_SIDE_PX / height);
  return { x: Math.round((x - origin.x) * factor), y: Math.round((y - origin.y) * factor) };
}

function extentOf({ origin, scale, width, height }: Capture): Rect {
  return { ...origin, width: width / scale, height: height / scale };
}

function inside(capture: Capture, point: Point): Point | null {
  return contains(extentOf(capture), point) ? toPicture(capture, point) : null;
}

/** What of it is on the picture. */
function clipped(capture: Capture, frame: Rect): Rect | null {
  const all = extentOf(capture);
  const start = toPicture(capture, { x: Math.max(frame.x, all.x), y: Math.max(frame.y, all.y) });
  const end = toPicture(capture, {
    x: Math.min(frame.x + frame.width, all.x + all.width),
    y: Math.min(frame.y + frame.height, all.y + all.height),
  });
  const [width, height] = [end.x - start.x, end.y - start.y];
  return width > 0 && height > 0 ? { ...start, width, height } : null;
}

function reasonOf(thrown: unknown): NoFrameReason {
  if (thrown instanceof WireError) return thrown.details['reason'] === 'pairing' ? 'pairing' : 'failed';
  if (!(thrown instanceof DesktopError)) return 'failed';
  if (thrown.code === 'permission') return 'permission';
  return thrown.code === 'lost' ? 'gone' : 'failed';
}
