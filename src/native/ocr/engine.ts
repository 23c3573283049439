import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import { message } from '../../messages/index.js';
import { DesktopError, type Capture, type Rect } from '../desktop.js';
import { dirname, join } from 'node:path';
import { boundingBox } from '../../base/rect.js';

/** What recognition answers, as lines of words where they are in the capture. Pure. */
export interface Word {
  text: string;
  /** Points, global. */
  frame: Rect;
  /** 0 to 100. */
  confidence: number;
}

/** Words that stand together. */
export interface TextLine {
  text: string;
  frame: Rect;
  words: Word[];
}

const box = z.object({ x0: z.number(), y0: z.number(), x1: z.number(), y1: z.number() });
const word = z.object({ text: z.string(), confidence: z.number(), bbox: box });
const paragraph = z.object({ lines: z.array(z.object({ words: z.array(word) })) });
const recognitionSchema = z.object({ blocks: z.array(z.object({ paragraphs: z.array(paragraph) })).nullable() });
type RecognitionResult = z.infer<typeof recognitionSchema>;
export type RecognizedWord = z.infer<typeof word>;

/** Lines of words, in pixels of the picture before it was enlarged by `zoom`. */
export function wordsOf({ blocks }: RecognitionResult, zoom: number): RecognizedWord[][] {
  const lines = (blocks ?? []).flatMap((block) => block.paragraphs).flatMap((one) => one.lines);
  return lines.map(({ words }) =>
    words.filter(isText).map(({ text, confidence, bbox: { x0, y0, x1, y1 } }) => ({
      text: text.trim(),
      confidence,
      bbox: { x0: x0 / zoom, y0: y0 / zoom, x1: x1 / zoom, y1: y1 / zoom },
    })),
  );
}

/** Words with less confidence are noise. Words without letters or digits need more, because icons and borders are recognised as such. */
const MIN_CONFIDENCE = { letters: 30, signs: 55 };
/** Gaps between words, in heights of the word: above `line` a new line begins, below `none` the words are joined. */
const GAP_HEIGHTS = { line: 1.2, none: 0.12 };

/** The words of one picture, and where that begins. */
export interface PlacedWords {
  lines: readonly RecognizedWord[][];
  left: number;
  top: number;
}

/** Top to bottom, then left to right. `scaleX`, `scaleY`: pixels of the recognised picture per pixel of the capture. */
export function recognizedLines(
  read: readonly PlacedWords[],
  { origin, scale }: Pick<Capture, 'origin' | 'scale'>,
  { scaleX, scaleY }: { scaleX: number; scaleY: number },
): TextLine[] {
  const placed = (
    { left, top }: PlacedWords,
    { text, confidence, bbox: { x0, y0, x1, y1 } }: RecognizedWord,
  ): Word => ({
    text,
    confidence,
    frame: {
      x: origin.x + (left + x0) / scaleX / scale,
      y: origin.y + (top + y0) / scaleY / scale,
      width: (x1 - x0) / scaleX / scale,
      height: (y1 - y0) / scaleY / scale,
    },
  });
  const lines = read.flatMap((picture) => picture.lines.map((words) => words.map((one) => placed(picture, one))));
  return inReadingOrder(lines.flatMap(splitColumns).map(joinWords));
}

function isText({ text, confidence }: RecognizedWord): boolean {
  if (text.trim() === '') return false;
  return confidence >= (/[\p{L}\p{N}]/u.test(text) ? MIN_CONFIDENCE.letters : MIN_CONFIDENCE.signs);
}

/** Columns side by side are recognised as one line. */
function splitColumns(words: Word[]): Word[][] {
  const lines: Word[][] = [];
  for (const one of [...words].sort((a, b) => a.frame.x - b.frame.x)) {
    const line = lines.at(-1);
    const before = line?.at(-1);
    if (line === undefined || before === undefined || gap(before, one) > GAP_HEIGHTS.line) lines.push([one]);
    else line.push(one);
  }
  return lines;
}

function gap(before: Word, after: Word): number {
  const high = Math.max(before.frame.height, after.frame.height);
  return (after.frame.x - before.frame.x - before.frame.width) / high;
}

function joinWords(words: Word[]): TextLine {
  let text = '';
  words.forEach((one, index) => {
    const before = words[index - 1];
    text += before === undefined ? one.text : gap(before, one) < GAP_HEIGHTS.none ? one.text : ` ${one.text}`;
  });
  return { text, words, frame: boundingBox(words.map(({ frame }) => frame)) };
}

/** Rows from the top, each from the left: lines beside each other seldom begin at quite the same height. */
function inReadingOrder(lines: readonly TextLine[]): TextLine[] {
  const rows: TextLine[][] = [];
  for (const line of lines.toSorted((a, b) => a.frame.y - b.frame.y)) {
    const row = rows.at(-1);
    const middle = line.frame.y + line.frame.height / 2;
    if (row?.every(({ frame }) => middle < frame.y + frame.height) === true) row.push(line);
    else rows.push([line]);
  }
  return rows.flatMap((row) => row.toSorted((a, b) => a.frame.x - b.frame.x));
}

const FOLDERS = ['4.0.0_best_int', '4.0.0'];

export interface OcrLanguage {
  code: string;
  /** Its trained data, compressed. */
  file: string;
}

/** What is installed beside English: every package of @tesseract.js-data, by its code. Nothing is ever downloaded. */
export function installedLanguages(): Map<string, OcrLanguage> {
  const found = new Map<string, OcrLanguage>();
  const scope = dirname(dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json')));
  for (const code of readdirSync(scope).sort()) {
    const file = FOLDERS.map((folder) => join(scope, code, folder, `${code}.traineddata.gz`)).find(existsSync);
    if (file !== undefined) found.set(code, { code, file });
  }
  return found;
}

/** One recognition thread that loads its languages; reads one picture after another. */
export interface Engine {
  /** A portable greymap of one line, dark on white, or of a block of them. */
  recognize(image: Uint8Array, isBlock: boolean): Promise<RecognitionResult>;
  /** Also during a recognition, which then rejects. */
  end(): Promise<void>;
}

const packet = z.object({ jobId: z.string(), status: z.enum(['resolve', 'reject', 'progress']), data: z.unknown() });
const PAGE_SEGMENTATION_MODE = { line: '7', block: '6' };
/** What comes here is dark on white already. */
const PARAMETERS = {
  tessedit_pageseg_mode: PAGE_SEGMENTATION_MODE.line,
  tessedit_do_invert: '0',
  user_defined_dpi: '192',
};
const ENGINE_MODE_LSTM = 1;
const HEAP_MB = 512;
const SCRIPT = 'tesseract.js/src/worker-script/node/index.js';
/** The same in one file, beside the bundle that this module is in. */
const BUNDLED = fileURLToPath(new URL('./recognition-main.mjs', import.meta.url));

/**
 * Runs the library's worker thread without its wrapper, with which a crash of the thread ends the process, the memory is not limited
 * and the start cannot be cancelled.
 */
export function startEngine(languages: OcrLanguage[]): Engine {
  const found = existsSync(BUNDLED) ? BUNDLED : createRequire(import.meta.url).resolve(SCRIPT);
  // Where the app is packed in an archive, what a thread loads lies beside it as real files.
  const script = found.replace(/\.asar(?=[\\/])/, '.asar.unpacked');
  const thread = new Worker(script, {
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  thread.unref();
  const waiting = new Map<string, { resolve: (data: unknown) => void; reject: (error: Error) => void }>();
  let last = 0;
  let ended: Error | null = null;

  function fail(why: string): void {
    ended ??= new DesktopError('failed', message('native.ocr_stopped', { why }));
    for (const job of waiting.values()) job.reject(ended);
    waiting.clear();
  }

  thread.on('error', (error) => fail(error instanceof Error ? error.message : String(error)));
  thread.on('exit', () => fail('its thread ended'));
  thread.on('messageerror', () => fail('its answer could not be read'));
  thread.on('message', (received: unknown) => {
    const { jobId, status, data } = packet.parse(received);
    const job = waiting.get(jobId);
    if (job === undefined || status === 'progress') return;
    waiting.delete(jobId);
    if (status === 'resolve') job.resolve(data);
    else job.reject(new DesktopError('failed', message('native.ocr_failed', { why: String(data) })));
  });

  const request = (action: string, payload: Record<string, unknown>): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (ended !== null) return reject(ended);
      const jobId = String((last += 1));
      waiting.set(jobId, { resolve, reject });
      thread.postMessage({ workerId: 'ocr', jobId, action, payload });
    });

  const boot = async (): Promise<void> => {
    await request('load', { options: { lstmOnly: true, logging: false } });
    const langs = await Promise.all(languages.map(async ({ code, file }) => ({ code, data: await readFile(file) })));
    await request('loadLanguage', { langs, options: { cacheMethod: 'none', lstmOnly: true } });
    await request('initialize', {
      langs: languages.map(({ code }) => code).join('+'),
      oem: ENGINE_MODE_LSTM,
      config: {},
    });
    await request('setParameters', { params: PARAMETERS });
  };
  const ready = boot();
  // Callers of `recognize` get the error.
  ready.catch(() => undefined);

  return {
    async recognize(image, isBlock) {
      await ready;
      const options = isBlock ? { tessedit_pageseg_mode: PAGE_SEGMENTATION_MODE.block } : {};
      return recognitionSchema.parse(
        await request('recognize', { image, options, output: { text: false, blocks: true } }),
      );
    },
    async end() {
      fail('it was ended');
      await thread.terminate();
    },
  };
}
