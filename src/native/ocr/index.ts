/**
 * Reads text in pictures, offline. Comes in: a {@link Capture}, already masked, and a language that is installed. Goes out:
 * lines of words with their places in points, or a DesktopError. Called by tools/; opened and closed by host/.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { abortable } from '../../base/poll.js';
import { withFirstOf } from '../../base/signal.js';
import { message } from '../../messages/index.js';
import { DesktopError, type Capture } from '../desktop.js';
import { startEngine, type Engine } from './engine.js';
import { installedLanguages, type OcrLanguage } from './languages.js';
import { recognizedLines, wordsOf, type PlacedWords, type RecognizedWord, type TextLine } from './lines.js';
import { prepare, type LinePicture } from './prepare.js';

export type { TextLine, Word } from './lines.js';

export interface Recognizer {
  /** Codes that `recognize` takes, alone or joined with `+`. */
  languages(): string[];
  /** Nothing recognised is no error. `unsupported` for a language that is not installed. */
  recognize(capture: Capture, language: string, signal: AbortSignal): Promise<TextLine[]>;
  close(): Promise<void>;
}

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
export function createRecognizer({ idleMs = IDLE_MS, start = startEngine }: RecognizerOptions = {}): Recognizer {
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
    languages: () => [...languages.keys()],
    async recognize(capture, language, signal) {
      languagesOf(language);
      const key = cacheKey(capture, language);
      const limits = [signal, closing.signal, AbortSignal.timeout(TIMEOUT_MS)];
      const read = (limit: AbortSignal) => inTurn(capture, language, limit);
      const reading = cache.get(key) ?? (await withFirstOf(limits, new AbortController(), read));
      cache.set(key, reading);
      return recognizedLines(reading.read, capture, reading);
    },
    async close() {
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
