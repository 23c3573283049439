/** Pictures on the host's side: one at a time, by ScreenCaptureKit in a helper, else by the system's program; never by both at once. */
import { abortable } from '../../../base/poll.js';
import { DesktopError, type Capture, type CaptureTarget, type DesktopReader, type Rect } from '../../desktop.js';
import { changed, type Pixels, pixelPart, unreadable } from './pixels.js';
import type { PictureSource } from './picture-source.js';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { message } from '../../../messages/index.js';

export interface PictureHelper {
  pictureSource(target: CaptureTarget, signal: AbortSignal): Promise<PictureSource>;
  /** null where the system has no ScreenCaptureKit that takes pictures. */
  takePicture(source: PictureSource, signal: AbortSignal): Promise<Pixels | null>;
}

/** A window may move while its picture is taken. */
const MOST_TRIES = 3;
/** After these the helper has been ended, or ScreenCaptureKit has refused: the program may still do it. */
const FALLBACK_TEXTS: ReadonlySet<string> = new Set(['native.app_silent', 'native.no_picture_given']);

export function createCapture(
  helper: PictureHelper,
  takeByProgram: TakeByProgram,
): Pick<DesktopReader, 'capture' | 'windowPaint' | 'untilApplication'> {
  let last: Promise<unknown> = Promise.resolve();

  /** A picture that nobody waits for any more still ends before the next begins. */
  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  const take = async (source: PictureSource, signal: AbortSignal): Promise<Pixels> => {
    try {
      const pixels = await helper.takePicture(source, new AbortController().signal);
      if (pixels !== null) return pixels;
    } catch (thrown) {
      if (!(thrown instanceof DesktopError) || !FALLBACK_TEXTS.has(thrown.text.code)) throw thrown;
    }
    return takeByProgram(source, signal);
  };
  const capture = async (target: CaptureTarget, signal: AbortSignal): Promise<Capture> => {
    for (let tries = 1; ; tries++) {
      signal.throwIfAborted();
      const source = await helper.pictureSource(target, signal);
      const pixels = await take(source, signal).catch((thrown: unknown) => {
        if (tries < MOST_TRIES && isChange(thrown)) return null;
        throw thrown;
      });
      const after = await helper.pictureSource(target, signal);
      if (pixels !== null && isSame(source, after)) return captureOf(source, pixels);
      if (tries === MOST_TRIES) throw changed();
    }
  };
  return {
    async capture(target, signal) {
      signal.throwIfAborted();
      return abortable(
        alone(() => capture(target, signal)),
        signal,
      );
    },
    /** The system tells nobody when a window is painted. */
    async windowPaint(_id, _after, signal) {
      signal.throwIfAborted();
      return null;
    },
    async untilApplication(_id, _state, signal) {
      signal.throwIfAborted();
      return null;
    },
  };
}

const isChange = (thrown: unknown): boolean =>
  thrown instanceof DesktopError && thrown.text.code === 'native.changed_while_captured';

function isSame(a: PictureSource, b: PictureSource): boolean {
  const facts = ({ number, frame, without }: PictureSource): string => JSON.stringify([number, frame, without]);
  return facts(a) === facts(b);
}

function captureOf({ part, scale }: PictureSource, { width, height, rgb }: Pixels): Capture {
  return { width, height, rgb, origin: { x: part.x, y: part.y }, scale: scale ?? Math.round(width / part.width) };
}

/** Pictures by the system's own program: where ScreenCaptureKit has none, or does not answer. */
type TakeByProgram = (source: PictureSource, signal: AbortSignal) => Promise<Pixels>;

const SCREENSHOT_PROGRAM = '/usr/sbin/screencapture';
const LIMIT_MS = 10_000;
/** No sound, no shadow. */
const QUIET = ['-x', '-o'];

/** The file that it writes is deleted again in any case. */
export function createScreenshotProgram(program = SCREENSHOT_PROGRAM): TakeByProgram {
  const run = promisify(execFile);
  return async (source, signal) => {
    const which = targetOf(source);
    const folder = await mkdtemp(join(tmpdir(), 'chaperone-picture-'));
    const file = join(folder, 'picture.png');
    try {
      await run(program, [...QUIET, ...which, file], { timeout: LIMIT_MS, killSignal: 'SIGKILL', signal });
      return await readPicture(file, (size) => pixelPart(source, size));
    } catch (thrown) {
      signal.throwIfAborted();
      throw thrown instanceof DesktopError ? thrown : unreadable(thrown instanceof Error ? thrown.message : '');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

/** `partOf` says which pixels are wanted, once the size is known. Colours are put over black, and stay those of the display. */
export async function readPicture(
  file: string | Buffer,
  partOf: (size: { width: number; height: number }) => Rect,
): Promise<Pixels> {
  const { default: sharp } = await import('sharp');
  const picture = sharp(file, { ignoreIcc: true });
  const { x: left, y: top, width, height } = partOf(await picture.metadata());
  const rgb = await picture.extract({ left, top, width, height }).flatten().raw().toBuffer();
  return { width, height, rgb };
}

/** Which of several displays the program means by a number is not known for sure, except the main one. It leaves no window out. */
function targetOf({ kind, number, main, without }: PictureSource): string[] {
  if (kind === 'window') return ['-l', String(number)];
  if (without.length > 0) throw new DesktopError('unsupported', message('native.popover_in_picture'));
  if (!main) throw new DesktopError('unsupported', message('native.main_display_only'));
  return ['-D', '1'];
}
