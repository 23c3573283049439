/**
 * Reads text in pictures, offline. Comes in: a {@link Capture}, already masked, and a language that is installed. Goes out:
 * lines of words with their places in points, or a DesktopError. Called by tools/; opened and closed by host/.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { abortable, withFirstOf } from '../../base/poll.js';
import { message } from '../../messages/index.js';
import { DesktopError, type Capture } from '../desktop.js';
import {
  startEngine,
  type Engine,
  installedLanguages,
  type OcrLanguage,
  recognizedLines,
  wordsOf,
  type PlacedWords,
  type RecognizedWord,
  type TextLine,
} from './engine.js';
import { flatten } from './flatten.js';
import { type Bounds, findLines } from './line-bounds.js';

export type { TextLine, Word } from './engine.js';

export type Recognizer = ReturnType<typeof createRecognizer>;

export interface RecognizerOptions {
  /** Without work for this long the thread ends. */
  idleMs?: number;
  start?: (languages: OcrLanguage[]) => Engine;
}

const IDLE_MS = 60_000;
const TIMEOUT_MS = 120_000;
const MAX_QUEUED = 16;
const MAX_CACHED = 4;
/** Remembered lines and words together. */
const MAX_REMEMBERED = 5_000;
/** The thread's memory only grows, so it is replaced after this many pictures. */
const MAX_JOBS_PER_THREAD = 200;

interface RecognizedCapture {
  read: PlacedWords[];
  scaleX: number;
  scaleY: number;
}

/**
 * At most one thread, started when it is needed; one picture at a time, in the order of the calls. A line that was read is remembered
 * by its pixels, wherever it is: only what changed is read again, and what has been masked since has other pixels.
 */
export function createRecognizer({ idleMs = IDLE_MS, start = startEngine }: RecognizerOptions = {}) {
  const languages = installedLanguages();
  const cache = new LRUCache<string, RecognizedCapture>({ max: MAX_CACHED });
  const remembered = new LRUCache<string, RecognizedWord[][]>({
    maxSize: MAX_REMEMBERED,
    sizeCalculation: (lines) => 1 + lines.flat().length,
  });
  const closing = new AbortController();
  let engine: { running: Engine; language: string; jobs: number } | null = null;
  let idle: NodeJS.Timeout | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let queued = 0;

  function languagesOf(language: string): OcrLanguage[] {
    const codes = [...new Set(language.split('+'))];
    return codes.map((code) => {
      const found = languages.get(code);
      if (found !== undefined) return found;
      const there = [...languages.keys()];
      throw new DesktopError(
        'unsupported',
        message('native.ocr_language', { language: code, languages: there.join(', ') }),
        {
          languages: there,
        },
      );
    });
  }

  async function endEngine(): Promise<void> {
    clearTimeout(idle);
    const old = engine;
    engine = null;
    await old?.running.end();
  }

  async function engineFor(language: string): Promise<Engine> {
    clearTimeout(idle);
    if (engine !== null && (engine.language !== language || engine.jobs >= MAX_JOBS_PER_THREAD)) await endEngine();
    engine ??= { running: start(languagesOf(language)), language, jobs: 0 };
    engine.jobs += 1;
    return engine.running;
  }

  /** Lines that are read before an error stay remembered. */
  async function readLines(
    lines: readonly LinePicture[],
    language: string,
    signal: AbortSignal,
  ): Promise<PlacedWords[]> {
    const found = new Map<string, RecognizedWord[][]>();
    const unknown = new Map<string, LinePicture>();
    for (const line of lines) {
      const key = `${language} ${line.hash}`;
      const words = remembered.get(key);
      if (words === undefined) unknown.set(key, line);
      else found.set(key, words);
    }
    if (unknown.size > 0) {
      const running = await engineFor(language);
      const reading = [...unknown].map(async ([key, line]) => {
        const words = wordsOf(await running.recognize(line.image(), line.isBlock), line.zoom);
        remembered.set(key, words);
        found.set(key, words);
      });
      await abortable(Promise.all(reading), signal);
      idle = setTimeout(() => void endEngine(), idleMs).unref();
    }
    return lines.map(({ hash, left, top }) => ({ lines: found.get(`${language} ${hash}`) ?? [], left, top }));
  }

  /** After any error the thread is ended; the next picture gets a new one. */
  async function work(capture: Capture, language: string, signal: AbortSignal): Promise<RecognizedCapture> {
    signal.throwIfAborted();
    try {
      const { lines, scaleX, scaleY } = await prepare(capture);
      return { read: await readLines(lines, language, signal), scaleX, scaleY };
    } catch (thrown) {
      await endEngine();
      throw thrown;
    }
  }

  async function inTurn(capture: Capture, language: string, signal: AbortSignal): Promise<RecognizedCapture> {
    if (queued >= MAX_QUEUED) throw new DesktopError('failed', message('native.ocr_busy'));
    queued += 1;
    const before = turn;
    let done = (): void => undefined;
    turn = new Promise<void>((resolve) => (done = resolve));
    try {
      await abortable(before, signal);
      return await work(capture, language, signal);
    } finally {
      queued -= 1;
      // The next one waits for those before, also when this one gave up waiting.
      void before.then(done);
    }
  }

  return {
    /** Codes that `recognize` takes, alone or joined with `+`. */
    languages: (): string[] => [...languages.keys()],
    /** Nothing recognised is no error. `unsupported` for a language that is not installed. */
    async recognize(capture: Capture, language: string, signal: AbortSignal): Promise<TextLine[]> {
      languagesOf(language);
      const key = cacheKey(capture, language);
      const limits = [signal, closing.signal, AbortSignal.timeout(TIMEOUT_MS)];
      const read = (limit: AbortSignal) => inTurn(capture, language, limit);
      const reading = cache.get(key) ?? (await withFirstOf(limits, new AbortController(), read));
      cache.set(key, reading);
      return recognizedLines(reading.read, capture, reading);
    },
    async close(): Promise<void> {
      closing.abort(new DesktopError('lost', message('native.ocr_closing')));
      cache.clear();
      remembered.clear();
      await endEngine();
    },
  };
}

/** Text that was approved is read again right before the act, mostly from the same pixels. */
function cacheKey({ width, height, rgb }: Capture, language: string): string {
  return `${width}×${height} ${language} ${createHash('sha256').update(rgb).digest('base64')}`;
}

/** Pixels of a capture that are looked at: time and memory stay bounded, and every single display of today has fewer. */
const MAX_PIXELS = 9_000_000;
/** A capture with more lines than this is a photograph or a pattern, and is read as one block. */
const MAX_LINES = 1_500;
/** Heights that the model reads well, in pixels: lower lines are enlarged up to `maxZoom`, higher ones are reduced. */
const LINE_HEIGHT = { least: 36, most: 72, maxZoom: 5 };
/** White around the line, in heights of it. */
const MARGIN_HEIGHTS = 0.35;

/** A line of text, cut out. */
type LinePicture = ReturnType<typeof linePicture>;

interface Prepared {
  lines: LinePicture[];
  /** Pixels of the picture that the lines were cut from, per pixel of the capture. */
  scaleX: number;
  scaleY: number;
}

async function prepare(capture: Capture): Promise<Prepared> {
  const fitted = await shrinkToFit(capture);
  const { width, height, scale } = fitted;
  const grey = flatten(fitted, scale);
  const found = findLines(grey, width, height, scale);
  const whole = { left: 0, top: 0, right: width - 1, bottom: height - 1 };
  const lines =
    found.length > MAX_LINES
      ? [linePicture(cut(grey, width, whole, 0), whole, true)]
      : found.map((line) => {
          const margin = Math.round((line.bottom - line.top + 1) * MARGIN_HEIGHTS) + 1;
          return linePicture(
            cut(grey, width, line, margin),
            { left: line.left - margin, top: line.top - margin },
            false,
          );
        });
  return { lines, scaleX: width / capture.width, scaleY: height / capture.height };
}

interface Grey {
  width: number;
  height: number;
  grey: Uint8Array;
  margin: number;
}

/** The pixels within the bounds, with a white margin instead of what stands beside them. */
function cut(from: Uint8Array, stride: number, { left, top, right, bottom }: Bounds, margin: number): Grey {
  const [wide, high] = [right - left + 1, bottom - top + 1];
  const [width, height] = [wide + 2 * margin, high + 2 * margin];
  const grey = new Uint8Array(width * height).fill(255);
  for (let row = 0; row < high; row++) {
    const start = (top + row) * stride + left;
    grey.set(from.subarray(start, start + wide), (margin + row) * width + margin);
  }
  return { width, height, grey, margin };
}

function linePicture(cutOut: Grey, { left, top }: { left: number; top: number }, isBlock: boolean) {
  const { width, height, grey, margin } = cutOut;
  const high = height - 2 * margin;
  const { least, most, maxZoom } = LINE_HEIGHT;
  const zoom = isBlock ? 1 : high < least ? Math.min(maxZoom, least / high) : Math.min(1, most / high);
  const hash = createHash('sha256').update(`${width}×${height} ${isBlock} `).update(grey).digest('base64');
  return {
    /** Of its pixels before it was scaled; the same for the same pixels anywhere. */
    hash,
    /** In pixels of the picture it was cut from. */
    left,
    top,
    /** Pixels of `image` per pixel of that. */
    zoom,
    /** It is the whole picture instead of a line. */
    isBlock,
    /** Makes the portable greymap that recognition takes. */
    image: (): Uint8Array => greymap(zoom === 1 ? cutOut : scaled(cutOut, zoom)),
  };
}

const greymap = ({ width, height, grey }: Pick<Grey, 'width' | 'height' | 'grey'>): Uint8Array =>
  new Uint8Array(Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), grey]));

/** Bilinear. */
function scaled({ width, height, grey }: Grey, zoom: number) {
  const [wide, high] = [Math.max(1, Math.round(width * zoom)), Math.max(1, Math.round(height * zoom))];
  const out = new Uint8Array(wide * high);
  const columns = Array.from({ length: wide }, (_, x) => between(x, wide, width));
  for (let y = 0, to = 0; y < high; y++) {
    const row = between(y, high, height);
    const [above, below] = [row.first * width, row.second * width];
    for (const { first, second, share } of columns) {
      const up = (grey[above + first] ?? 255) * (1 - share) + (grey[above + second] ?? 255) * share;
      const down = (grey[below + first] ?? 255) * (1 - share) + (grey[below + second] ?? 255) * share;
      out[to++] = Math.round(up * (1 - row.share) + down * row.share);
    }
  }
  return { width: wide, height: high, grey: out };
}

/** The two of `count` pixels that pixel `at` of `of` lies between, and how far it is on the way to the second. */
function between(at: number, of: number, count: number): { first: number; second: number; share: number } {
  const place = Math.min(count - 1, Math.max(0, ((at + 0.5) * count) / of - 0.5));
  const first = Math.floor(place);
  return { first, second: Math.min(count - 1, first + 1), share: place - first };
}

async function shrinkToFit(capture: Capture): Promise<Capture> {
  const { width, height, rgb, scale } = capture;
  const factor = Math.sqrt(MAX_PIXELS / (width * height));
  if (factor >= 1) return capture;
  const size = { width: Math.max(1, Math.floor(width * factor)), height: Math.max(1, Math.floor(height * factor)) };
  const { default: sharp } = await import('sharp');
  const smaller = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .resize({ ...size, fit: 'fill' })
    .raw()
    .toBuffer();
  return { ...capture, ...size, rgb: smaller, scale: scale * factor };
}
