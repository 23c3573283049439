/** Pictures on the host's side: one at a time, by ScreenCaptureKit in a helper, else by the system's program; never by both at once. */
import { abortable } from '../../../base/poll.js';
import { DesktopError, type Capture, type CaptureTarget, type DesktopReader } from '../../desktop.js';
import { changed } from './picture-part.js';
import type { PictureSource } from './picture-source.js';
import type { Pixels } from './pixels.js';
import type { TakeByProgram } from './screenshot-program.js';

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
