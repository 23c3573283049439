/** Builds the clipboard content from the parameters of `write_clipboard`. */
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import * as z from 'zod';
import type { ClipboardContent } from '../../../native/desktop.js';
import { fileIdentities, filesChanged, readPlannedFile } from '../../pipeline/file-identity.js';
import type { PlannedFile } from '../../approvals/plan.js';
import { imageIdOf, type Images, type KeptImage } from '../images.js';
import { invalidRequest, isWellFormed } from '../parameters.js';
import { assertPathsExist, pathSchema, shownPaths } from '../files/drops.js';
import { message } from '../../../messages/index.js';
import { ruleError } from '../../protocol/input-errors.js';

// Converts pictures to and from the clipboard's PNG.

const FORMATS: ReadonlySet<string> = new Set(['png', 'jpeg', 'webp', 'gif', 'tiff']);
const MAX_PIXELS = 64_000_000;

interface Png {
  bytes: Uint8Array;
  width: number;
  height: number;
}

/** Converts to PNG; a PNG is kept unchanged. `name` is used in errors. */
async function asPng(bytes: Uint8Array, name: string): Promise<Png> {
  const { default: sharp } = await import('sharp');
  const { format, width, height } = await sharp(bytes)
    .metadata()
    .catch(() => ({ format: null, width: 0, height: 0 }));
  if (format === null || !FORMATS.has(format))
    throw invalidRequest(message('error.no_picture_file', { name }), 'no_picture');
  if (width * height > MAX_PIXELS)
    throw invalidRequest(message('error.too_many_pixels', { name, width, height }), 'no_picture');
  if (format === 'png') return { bytes, width, height };
  const made = await sharp(bytes).png().toBuffer({ resolveWithObject: true });
  return { bytes: new Uint8Array(made.data), width: made.info.width, height: made.info.height };
}

/** Scaled down for a model; null where the bytes are no readable picture. */
export async function thumbnailPng(bytes: Uint8Array, side: number): Promise<Png | null> {
  const fit = { width: side, height: side, fit: 'inside', withoutEnlargement: true } as const;
  const { default: sharp } = await import('sharp');
  const made = await sharp(bytes, { limitInputPixels: MAX_PIXELS })
    .resize(fit)
    .png()
    .toBuffer({ resolveWithObject: true })
    .catch(() => null);
  return made === null ? null : { bytes: new Uint8Array(made.data), width: made.info.width, height: made.info.height };
}

const MAX_TEXT_LENGTH = 500_000;
const MAX_FILE_BYTES = 32 * 1024 * 1024;
const text = z.string().max(MAX_TEXT_LENGTH).refine(isWellFormed, ruleError('input.half_character')).optional();
const path = z
  .string()
  .min(1)
  .max(4096)
  .refine((one) => !one.includes('\0'), ruleError('input.nul'));

export const contentSchema = z
  .object({
    type: z.enum(['text', 'html', 'image', 'files']).default('text'),
    text: text.describe('The text, or the markup.'),
    plain: text.describe('With html: for fields without markup.'),
    image: path.optional().describe('A file in the workspace, or the id of an image you were given.'),
    files: z.array(pathSchema).min(1).max(200).optional(),
  })
  .strict()
  .superRefine((given, ctx) => {
    const needs = { text: 'text', html: 'text', image: 'image', files: 'files' }[given.type] as keyof typeof given;
    const meant = (['files', 'image'] as const).find((one) => given[one] !== undefined);
    if (given.type === 'text' && given.text === undefined && meant !== undefined)
      return ctx.addIssue({
        code: 'custom',
        path: ['type'],
        ...ruleError('input.say_type', { named: JSON.stringify(meant), field: meant }),
      });
    if (given[needs] === undefined || given[needs] === '')
      ctx.addIssue({
        code: 'custom',
        path: [needs],
        ...ruleError('input.type_needs', { type: given.type, field: needs }),
      });
    for (const other of ['text', 'plain', 'image', 'files'] as const)
      if (given[other] !== undefined && other !== needs && !(other === 'plain' && given.type === 'html'))
        ctx.addIssue({
          code: 'custom',
          path: [other],
          ...ruleError('input.not_with_type', { type: given.type }),
        });
  });
type ClipboardInput = z.infer<typeof contentSchema>;

/** Where pictures come from. */
interface Sources {
  images: Pick<Images, 'get'>;
  owner: string;
  workspace: string;
}

/** The complete content as text for the card, and the files that it comes from. */
export async function planContent(
  given: ClipboardInput,
  from: Sources,
): Promise<{ text: string; files: PlannedFile[] }> {
  const { type, text: written = '', plain, image = '', files: paths = [] } = given;
  if (type === 'files') {
    await assertPathsExist(paths);
    return { text: await shownPaths(paths), files: await fileIdentities(paths) };
  }
  if (type === 'image') {
    const path = keptImage(image, from) === null ? await pictureIn(from.workspace, image) : null;
    return { text: image, files: path === null ? [] : await fileIdentities([path]) };
  }
  return { text: plain === undefined ? written : `${written}\n\nWithout markup:\n${plain}`, files: [] };
}

/** `planned`: as `planContent` gave them. */
export async function contentOf(
  given: ClipboardInput,
  planned: readonly PlannedFile[],
  from: Sources,
): Promise<ClipboardContent> {
  const { type, text: written = '', plain, image = '', files = [] } = given;
  if (type === 'text') return { text: written };
  if (type === 'html') return { html: written, ...(plain === undefined ? {} : { text: plain }) };
  if (type === 'files') return { files };
  const [file] = planned;
  const bytes = file === undefined ? keptImage(image, from)?.bytes : await readPlannedFile(file, MAX_FILE_BYTES);
  if (bytes === undefined) throw filesChanged([image]);
  return { png: (await asPng(bytes, image)).bytes };
}

const keptImage = (image: string, { images, owner }: Sources): KeptImage | null => images.get(imageIdOf(image), owner);

/** The path of a regular file that lies inside the workspace after resolving links. */
async function pictureIn(workspace: string, name: string): Promise<string> {
  const folder = await realpath(workspace);
  const file = await realpath(resolve(folder, name)).catch(() => null);
  const steps = file === null ? '' : relative(folder, file);
  if (file === null || steps === '' || steps.split(sep)[0] === '..' || isAbsolute(steps))
    throw invalidRequest(message('error.no_workspace_file', { name, workspace }), 'no_file');
  const facts = await stat(file);
  if (!facts.isFile() || facts.size > MAX_FILE_BYTES)
    throw invalidRequest(
      message('error.file_too_large', { name, megabytes: MAX_FILE_BYTES / 1024 / 1024 }),
      'too_large',
    );
  return file;
}
