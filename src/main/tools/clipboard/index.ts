import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { Verification, AnyAction } from '../../pipeline/action.js';
import type { PlanContext, ReadContext, RunContext } from '../../pipeline/context.js';
import { defineAction } from '../../pipeline/define.js';
import { poll } from '../../../base/poll.js';
import type { ClipboardContent, DesktopReader } from '../../../native/desktop.js';
import { WireError, subjectWithoutPlace, title, type Title } from '../../protocol/index.js';
import { sliceText } from '../../../base/text.js';
import { kindsOf } from '../../desktop/watch/index.js';
import { contentOf, contentSchema, planContent, thumbnailPng } from './content.js';
import { sha256 } from '../../approvals/digest.js';
import { imageSchema } from '../images.js';
import { toolGroup, type Tool, type ToolDeps } from '../tool.js';
import { MAX_SIDE } from '../screen/picture.js';
import { message } from '../../../messages/index.js';
import { planWithoutTarget, type Plan } from '../../approvals/plan.js';

// Plans for reading and replacing the clipboard.

/** Throws before the person is asked while agents may see nothing, as when a pairing link is open. */
async function planReadingOf(act: Title, desktop: DesktopReader, signal: AbortSignal): Promise<Plan> {
  await desktop.frontmost(signal);
  return planWithoutTarget(subjectWithoutPlace(act));
}

const planReplacing = (act: Title, text: string | null): Plan => ({
  ...planWithoutTarget(subjectWithoutPlace(act)),
  text,
  notes: [message('note.clipboard_lost')],
  alwaysAsk: true,
});

// What evidence stores of clipboard content: type, size and digest, never the content. Pure.

interface Given {
  text?: string | undefined;
  html?: string | undefined;
  files?: string[] | undefined;
}

const traceOf = (text: string) => ({ characters: [...text].length, sha256: sha256(text) });

const withoutContent = <T extends Given>({ text, html, files, ...rest }: T) => ({
  ...rest,
  ...(text === undefined ? {} : { text: traceOf(text) }),
  ...(html === undefined ? {} : { html: traceOf(html) }),
  ...(files === undefined ? {} : { files: { count: files.length, sha256: sha256(files.join('\n')) } }),
});

const MAX_TOTAL_TEXT = 60_000;
const MIN_ENTRY_TEXT = 600;
const HISTORY = title('title.read_clipboard_history');

/** Fewer entries leave more text for each. */
function clipboardHistory({ clipboard }: Pick<ToolDeps, 'clipboard'>): AnyAction {
  return defineAction({
    name: 'get_clipboard_history',
    title: 'Read earlier clipboards',
    does: 'clipboard',
    description: 'What any program copied since you were first allowed this, newest first.',
    effect: 'disclose',
    needs: [],
    input: z
      .object({
        limit: z.number().int().min(1).max(100).default(20),
        offset: z.number().int().min(0).max(100).default(0),
      })
      .strict(),
    output: z.object({
      entries: z.array(
        z.object({
          copied_at: z.string(),
          types: z.array(z.string()),
          text: z.string(),
          truncated: z.boolean(),
          application: z.string().nullable(),
        }),
      ),
      total: z.number().int(),
      recording_since: z.string(),
    }),
    subject: () => subjectWithoutPlace(HISTORY),
    plan: ({ desktop }, _input, signal) => planReadingOf(HISTORY, desktop, signal),
    async run({ caller }, { limit, offset }) {
      const since = clipboard.record(caller.agent.id);
      const all = await clipboard.entries(caller.agent.id);
      const most = Math.max(MIN_ENTRY_TEXT, Math.floor(MAX_TOTAL_TEXT / limit));
      return {
        entries: all.slice(offset, offset + limit).map(({ copiedAt, types, text, truncated, application }) => ({
          copied_at: copiedAt,
          types,
          text: sliceText(text, most),
          truncated: truncated || text.length > most,
          application: application?.name ?? null,
        })),
        total: all.length,
        recording_since: since,
      };
    },
    text: ({ entries, total, recording_since: since }) =>
      [
        `${total} since ${since}${total === 0 ? ': nothing was copied yet that may be shown.' : ':'}`,
        ...entries.map(
          ({ copied_at: at, types, text, truncated, application }) =>
            `${at}${application === null ? '' : ` in ${application}`}, ${types.join(' and ')}: ${text}${truncated ? '…' : ''}`,
        ),
      ].join('\n'),
    kept: ({ entries, ...rest }) => ({ ...rest, entries: entries.map(withoutContent) }),
  });
}

const MAX_TEXT_LENGTH = 50_000;
const READ_BACK_MS = 700;
const POLL_MS = 40;
const kind = z.enum(['text', 'html', 'image', 'files']);
const readSchema = z.object({
  types: z.array(kind),
  text: z.string().optional(),
  html: z.string().optional(),
  files: z.array(z.string()).optional(),
  image: imageSchema.optional(),
  others: z.array(z.string()).optional(),
  concealed: z.boolean(),
  truncated: z.boolean(),
  characters: z.number().int(),
});

export function clipboardTools(deps: ToolDeps): Tool[] {
  const { images, clipboard } = deps;
  const get = defineAction({
    name: 'get_clipboard',
    title: 'Read the clipboard',
    does: 'clipboard',
    description: 'What is on the clipboard: text, HTML, a picture or files. Passwords marked as such are left out.',
    effect: 'disclose',
    needs: [],
    evidence: 'folder',
    input: z.object({}).strict(),
    output: readSchema,
    subject: () => subjectWithoutPlace(title('title.read_clipboard')),
    plan: ({ desktop }, _input, signal) => planReadingOf(title('title.read_clipboard'), desktop, signal),
    async run(ctx, _input, signal) {
      const before = clipboard.isRestricted();
      const { concealed = false, png, ...read } = await ctx.desktop.readClipboard(signal);
      if ((await before) || (await clipboard.isRestricted())) throw notReadableError();
      const { text, html, files } = read;
      const image = png === undefined ? null : await picture(ctx, png);
      const long = (all?: string) => (all?.length ?? 0) > MAX_TEXT_LENGTH;
      return {
        types: kindsOf({ ...read, ...(png === undefined ? {} : { png }) }),
        ...(text === undefined ? {} : { text: sliceText(text, MAX_TEXT_LENGTH) }),
        ...(html === undefined ? {} : { html: sliceText(html, MAX_TEXT_LENGTH) }),
        ...(files === undefined ? {} : { files }),
        ...(image === null ? {} : { image }),
        ...(read.others === undefined ? {} : { others: read.others }),
        concealed,
        truncated: long(text) || long(html),
        characters: Math.max(text?.length ?? 0, html?.length ?? 0),
      };
    },
    text: describeContent,
    kept: withoutContent,
  });

  async function picture(ctx: ReadContext, png: Uint8Array) {
    const made = await thumbnailPng(png, MAX_SIDE);
    if (made === null) return null;
    const { bytes, width, height } = made;
    ctx.trace({ step: 'picture', width, height, bytes: bytes.length, sha256: sha256(bytes) });
    // Scale 0: the picture is not of the screen, so nothing can be clicked in it.
    const info = { mimeType: 'image/png', width, height, scale: 0, origin: { x: 0, y: 0 } };
    return images.put({ ...info, bytes, native: { width, height, scale: 0 }, marks: [] }, ctx.caller.agent.id);
  }

  const sourcesOf = ({ caller, workspace }: PlanContext) => ({ images, owner: caller.agent.id, workspace });

  const write = defineAction({
    name: 'write_clipboard',
    title: 'Write the clipboard',
    step: 'lasting',
    does: 'clipboard',
    description:
      'Replaces the clipboard with text, HTML, a picture or files; it is there until something else is copied.',
    effect: 'dangerous',
    needs: [],
    input: contentSchema,
    output: z.object({ written: z.literal(true), type: kind }),
    subject: () => subjectWithoutPlace(title('title.replace_clipboard')),
    async plan(ctx, given) {
      const { text, files } = await planContent(given, sourcesOf(ctx));
      return { ...planReplacing(title('title.replace_clipboard'), text), files };
    },
    async act(ctx, given, signal) {
      const content = await contentOf(given, ctx.plan?.files ?? [], sourcesOf(ctx));
      const effect = await replace(ctx, content, signal);
      return { value: { written: true as const, type: given.type }, effect };
    },
    text: ({ type }) => `The clipboard holds the ${type}.`,
  });

  const clear = defineAction({
    name: 'clear_clipboard',
    title: 'Empty the clipboard',
    step: 'lasting',
    does: 'clipboard',
    description: 'Empties the clipboard, not its history.',
    effect: 'dangerous',
    needs: [],
    input: z.object({}).strict(),
    output: z.object({ cleared: z.literal(true) }),
    subject: () => subjectWithoutPlace(title('title.clear_clipboard')),
    plan: async () => planReplacing(title('title.clear_clipboard'), null),
    async act(ctx, _input, signal) {
      return { value: { cleared: true as const }, effect: await replace(ctx, {}, signal) };
    },
    text: () => 'The clipboard is empty.',
  });

  return toolGroup('clipboard', { core: [get], more: [write, clear, clipboardHistory(deps)] });
}

/** Writes the clipboard and verifies by reading it back. */
async function replace(ctx: RunContext, content: ClipboardContent, signal: AbortSignal): Promise<Verification> {
  await ctx.desktop.writeClipboard(content, signal);
  const { fits, now } = await readBack(ctx.desktop, content, signal);
  return { effect: fits ? 'confirmed' : 'unverified', before: null, after: { types: now } };
}

async function readBack(desktop: DesktopReader, content: ClipboardContent, signal: AbortSignal) {
  const read = async () => comparableContent(await desktop.readClipboard(signal).catch(() => ({})));
  const wanted = comparableContent(content);
  const compare = async () => isDeepStrictEqual(await read(), wanted) || null;
  const fits = await poll(compare, READ_BACK_MS, signal, POLL_MS);
  return { fits: fits !== null, now: kindsOf(await read()) };
}

const comparableContent = ({ text, html, png, files }: ClipboardContent): ClipboardContent => ({
  ...(text === undefined ? {} : { text }),
  ...(html === undefined ? {} : { html }),
  ...(png === undefined ? {} : { png: new Uint8Array(png) }),
  ...(files === undefined ? {} : { files }),
});

function notReadableError(): WireError {
  return new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.clipboard_hidden'), {
    reason: 'protected',
    next: 'Ask the person to copy it from somewhere else, or to tell you.',
  });
}

function describeContent(read: z.infer<typeof readSchema>): string {
  const { types, text, html, files, image, others = [], concealed, truncated, characters } = read;
  if (concealed) return 'What is on the clipboard is marked as secret, so it is not given.';
  if (types.length === 0 && others.length === 0) return 'The clipboard is empty.';
  return [
    `On the clipboard: ${[...types, ...others].join(', ')}.`,
    ...(truncated ? [`Only the first ${MAX_TEXT_LENGTH} of ${characters} characters are given.`] : []),
    ...(text === undefined ? [] : ['Text:', text]),
    ...(html === undefined ? [] : ['HTML:', html]),
    ...(files === undefined ? [] : ['Files:', ...files]),
    ...(image === undefined ? [] : [`Picture ${image.id}, shown at ${image.width}×${image.height}.`]),
  ].join('\n');
}
