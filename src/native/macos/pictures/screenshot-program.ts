/** Pictures by the system's own program: where ScreenCaptureKit has none, or does not answer. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DesktopError, type Rect } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import { pixelPart } from './picture-part.js';
import type { PictureSource } from './picture-source.js';
import { unreadable, type Pixels } from './pixels.js';

export type TakeByProgram = (source: PictureSource, signal: AbortSignal) => Promise<Pixels>;

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
