/** Builds the clipboard content from the parameters of `write_clipboard`. */
import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import * as z from 'zod';
import type { ClipboardContent } from '../../../native/desktop.js';
import { asPng } from './pictures.js';
import type { Images } from '../images.js';
import { invalidRequest, isWellFormed } from '../parameters.js';
import { assertPathsExist, pathSchema, shownPaths } from '../files/paths.js';
import { message } from '../../../messages/index.js';
import { ruleError } from '../../pipeline/input-errors.js';

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

/** The complete content as text for the card. */
export async function cardText(given: ClipboardInput): Promise<string> {
  const { type, text: written = '', plain, image, files = [] } = given;
  if (type === 'image') return image ?? '';
  if (type === 'files') return shownPaths(files);
  return plain === undefined ? written : `${written}\n\nWithout markup:\n${plain}`;
}

export async function contentOf(
  given: ClipboardInput,
  { images, owner, workspace }: { images: Images; owner: string; workspace: string },
): Promise<ClipboardContent> {
  const { type, text: written = '', plain, image = '', files = [] } = given;
  if (type === 'text') return { text: written };
  if (type === 'html') return { html: written, ...(plain === undefined ? {} : { text: plain }) };
  if (type === 'files') {
    await assertPathsExist(files);
    return { files };
  }
  const known = images.get(image.replace(/^image:/, ''), owner);
  const bytes = known?.bytes ?? (await fileIn(workspace, image));
  return { png: (await asPng(bytes, image)).bytes };
}

/** Reads a regular file that lies inside the workspace after resolving links. */
async function fileIn(workspace: string, name: string): Promise<Uint8Array> {
  const folder = await realpath(workspace);
  const file = await realpath(resolve(folder, name)).catch(() => null);
  const steps = file === null ? '' : relative(folder, file);
  if (file === null || steps === '' || steps.split(sep)[0] === '..' || isAbsolute(steps))
    throw invalidRequest(message('error.no_workspace_file', { name, workspace }), 'no_file');
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const facts = await handle.stat();
    if (!facts.isFile() || facts.size > MAX_FILE_BYTES)
      throw invalidRequest(
        message('error.file_too_large', { name, megabytes: MAX_FILE_BYTES / 1024 / 1024 }),
        'too_large',
      );
    return new Uint8Array(await handle.readFile());
  } finally {
    await handle.close();
  }
}
