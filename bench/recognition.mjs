/**
 * `node bench/recognition.mjs [--misread] [--scale 2] [--languages]`: how much of 300 words of interfaces is read rightly, and in what
 * time, beside tesseract on one thread. Build first. Languages that are not installed are read as English; `--languages` fetches the
 * data of German and Chinese, and a Chinese font, for this run.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { GROUPS } from './recognition/labels.mjs';
import { addLanguages } from './recognition/languages.mjs';
import { drawPages } from './recognition/pages.mjs';
import { scoreOf, shares } from './recognition/score.mjs';
import { median } from './statistics.mjs';

const ROUNDS = 3;
const run = promisify(execFile);

/** A new recognizer each time, so that nothing is remembered; it has read something before the clock starts. */
async function ours() {
  const { createRecognizer } = await import('../dist/native/ocr/index.js');
  const signal = new AbortController().signal;
  const blank = { width: 64, height: 64, rgb: new Uint8Array(64 * 64 * 3), origin: { x: 0, y: 0 }, scale: 1 };
  return {
    name: 'Chaperone',
    async read({ capture, group }) {
      const recognizer = createRecognizer();
      const language = recognizer.languages().includes(group.language) ? group.language : 'eng';
      await recognizer.recognize(blank, language, signal);
      const start = performance.now();
      const lines = await recognizer.recognize(capture, language, signal);
      const ms = performance.now() - start;
      await recognizer.close();
      return { ms, words: lines.flatMap((line) => line.words) };
    },
  };
}

async function tesseract(folder, given) {
  const env = { ...given, OMP_THREAD_LIMIT: '1' };
  const { stdout } = await run('tesseract', ['--list-langs'], { env });
  return {
    name: 'tesseract',
    async read({ png, group, capture: { scale } }) {
      const file = join(folder, 'page.png');
      writeFileSync(file, png);
      const language = stdout.split('\n').includes(group.language) ? group.language : 'eng';
      const start = performance.now();
      const { stdout: rows } = await run('tesseract', [file, '-', '-l', language, 'tsv'], { env });
      const ms = performance.now() - start;
      return { ms, words: rows.split('\n').slice(1).flatMap((row) => wordOf(row, scale)) }; // prettier-ignore
    },
  };
}

function wordOf(row, scale) {
  const cells = row.split('\t');
  const text = cells[11]?.trim() ?? '';
  if (cells[0] !== '5' || text === '') return [];
  const [x, y, width, height] = cells.slice(6, 10).map((value) => Number(value) / scale);
  return [{ text, frame: { x, y, width, height } }];
}

async function measure(page, readers) {
  const taken = readers.map(() => ({ times: [], score: null }));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [index, reader] of readers.entries()) {
      const { ms, words } = await reader.read(page);
      taken[index].times.push(ms);
      taken[index].score = scoreOf(page.truth, words);
    }
  return taken.map(({ times, score }) => ({ ms: median(times), ...score }));
}

function cells(name, measured) {
  const shown = measured.flatMap((parts) => {
    const { words, letters } = shares(parts.flatMap(({ labels }) => labels));
    const [ms, extra] = ['ms', 'extra'].map((key) => parts.reduce((total, part) => total + part[key], 0));
    return [`${words.toFixed(1)} %`, `${letters.toFixed(1)} %`, extra, `${Math.round(ms)} ms`];
  });
  return `| ${[name, shares(measured[0].flatMap(({ labels }) => labels)).count, ...shown].join(' | ')} |`;
}

/** Rows by size need no times: a page has labels of all sizes. */
function bySize(pages, size) {
  const only = (part) => ({ ...part, ms: 0, extra: 0, labels: part.labels.filter((one) => one.size === size) });
  return pages.map((parts) => parts.map(only));
}

const { values: asked } = parseArgs({
  options: { misread: { type: 'boolean' }, scale: { type: 'string' }, languages: { type: 'boolean' } },
});
const folder = mkdtempSync(join(tmpdir(), 'chp-recognition-'));
const closers = [() => rmSync(folder, { recursive: true, force: true })];
try {
  const env = asked.languages ? await addLanguages(folder, (close) => void closers.unshift(close)) : process.env;
  const pages = await drawPages(GROUPS, Number(asked.scale ?? 1), env);
  const readers = [await ours(), await tesseract(folder, env)];
  const measured = [];
  for (const page of pages) measured.push({ page, parts: await measure(page, readers) });
  const byReader = (all) => readers.map((_, index) => all.map(({ parts }) => parts[index]));
  const heads = ['', 'words', ...readers.flatMap(({ name }) => [`${name}: words`, 'letters', 'extra', 'time'])];
  console.log(`| ${heads.join(' | ')} |\n|${heads.map(() => ' --- |').join('')}`);
  for (const { page, parts } of measured) console.log(cells(`${page.group.name}, ${page.theme}`, parts.map((part) => [part]))); // prettier-ignore
  const all = byReader(measured);
  for (const size of [...new Set(pages.flatMap(({ truth }) => truth.map((one) => one.size)))].sort((a, b) => a - b))
    console.log(cells(`${size} px`, bySize(all, size)));
  console.log(cells('all', all));
  if (asked.misread)
    for (const { page, parts } of measured)
      for (const { text, read, size, kind } of parts[0].labels)
        if (text !== read) console.log(`${page.theme} ${size} px ${kind}: “${text}” was read as “${read}”`);
} finally {
  for (const close of closers) close();
}
