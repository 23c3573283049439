/** What Chaperone does not bring: data of further languages, from the npm registry, and a Chinese font, from Debian's. For one run only. */
import { createReadStream, createWriteStream, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'; // prettier-ignore
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { root, run } from '../../scripts/lib/run.mjs';

const CODES = ['deu', 'chi_sim'];
const VERSION = '1.0.0';
const FONT = 'fonts-wqy-microhei';
const SCOPE = join(root, 'node_modules/@tesseract.js-data');
const SYSTEM_DATA = '/usr/share/tesseract-ocr/5/tessdata';

/** Resolves the environment that browser and tesseract need to find them; `own` takes what puts all back. */
export async function addLanguages(folder, own) {
  const data = join(folder, 'tessdata');
  mkdirSync(data);
  for (const name of readdirSync(SYSTEM_DATA)) symlinkSync(join(SYSTEM_DATA, name), join(data, name));
  for (const code of CODES) await addLanguage(code, folder, data, own);
  return { ...process.env, TESSDATA_PREFIX: data, FONTCONFIG_FILE: await addFont(folder) };
}

async function addLanguage(code, folder, data, own) {
  const place = join(SCOPE, code);
  if (!existsSync(place)) {
    await must('npm', ['pack', '--silent', `@tesseract.js-data/${code}@${VERSION}`], folder);
    mkdirSync(place);
    own(() => rmSync(place, { recursive: true }));
    const packed = join(folder, `tesseract.js-data-${code}-${VERSION}.tgz`);
    await must('tar', ['-xzf', packed, '-C', place, '--strip-components=1'], folder);
  }
  const trained = join(data, `${code}.traineddata`);
  const compressed = ['4.0.0_best_int', '4.0.0'].map((part) => join(place, part, `${code}.traineddata.gz`));
  if (!existsSync(trained))
    await pipeline(createReadStream(compressed.find(existsSync)), createGunzip(), createWriteStream(trained));
}

/** Beside the fonts of the system, for programs with this FONTCONFIG_FILE. */
async function addFont(folder) {
  await must('apt-get', ['download', FONT], folder);
  const [file] = readdirSync(folder).filter((name) => name.startsWith(FONT));
  await must('dpkg', ['-x', file, join(folder, 'font')], folder);
  const config = join(folder, 'fonts.conf');
  writeFileSync(
    config,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><include>/etc/fonts/fonts.conf</include><dir>${join(folder, 'font')}</dir></fontconfig>`,
  );
  return config;
}

async function must(program, args, cwd) {
  const { code, output } = await run(program, args, { cwd, capture: true });
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${output}`);
}
