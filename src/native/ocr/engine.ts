import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import { message } from '../../messages/index.js';
import { DesktopError } from '../desktop.js';
import { recognitionSchema, type RecognitionResult } from './lines.js';
import { dirname, join } from 'node:path';

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
