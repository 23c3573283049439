/** Pictures as files, for tasks that draw or change them. ImageMagick is there for the tests. */
import { run } from '../lib/run.mjs';

/** What ImageMagick tells of a picture, by its format letters. */
export async function pictureIs(path, format) {
  const { code, output } = await run('identify', ['-format', format, path], { capture: true });
  if (code !== 0) throw new Error(output.trim().split('\n').at(-1));
  return output.trim();
}

/** A picture of 40 × 30 as PPM, blue on the left and red on the right. */
export const HALVES = `P3 40 30 255\n${Array.from({ length: 30 }, () => '0 0 255 '.repeat(20) + '255 0 0 '.repeat(20)).join('\n')}\n`;

/** The colour at a point, as ImageMagick names it. */
export const colourAt = (path, x, y) => pictureIs(`${path}[0]`, `%[pixel:p{${x},${y}}]`);
