import { readdirSync, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
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
