/** The pages of the documentation, and what is in one: fenced blocks, units of text, links, headings. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

export interface Page {
  /** Below the root of the repository. */
  path: string;
  text: string;
}

export interface Block {
  language: string;
  /** Of the comment `<!-- example:NAME -->` above it. */
  example: string | null;
  code: string;
}

export const page = (path: string): Page => ({ path, text: readFileSync(join(ROOT, path), 'utf8') });

/** README, CHANGELOG, CONTRIBUTING and all of docs/. */
export function allPages(): Page[] {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);
  return ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...docs.toSorted()].map(page);
}

const FENCE = /(?:<!-- example:([\w.-]+) -->\n)?^(```+)(\w*)\n([\s\S]*?)\n\2$/gm;

export const blocks = ({ text }: Page): Block[] =>
  [...text.matchAll(FENCE)].map(([, example, , language = '', code = '']) => ({
    language,
    example: example ?? null,
    code,
  }));

/** Without what `npm run docs` writes between markers. */
export const handWritten = ({ path, text }: Page): Page => ({
  path,
  text: text.replaceAll(/<!-- (\w+):start -->[\s\S]*?<!-- \1:end -->/g, ''),
});

/** Paragraphs, items of lists, headings and cells of tables; no code, comments or HTML. */
export function units({ text }: Page): string[] {
  const plain = text.replaceAll(FENCE, '\n').replaceAll(/<!--[\s\S]*?-->|<picture>[\s\S]*?<\/picture>/g, '\n');
  return plain
    .split(/\n(?:[ \t]*\n)+|\n(?=[ \t]*(?:[-*]|\d+\.) )|\n(?=#|\|)/)
    .flatMap((unit) => (unit.startsWith('|') ? unit.split(/(?<!\\)\|/) : [unit]))
    .map((unit) => unit.trim())
    .filter((unit) => /\p{L}/u.test(unit));
}

/** Code counts as one word, a link as its text. */
export const sentences = (unit: string): string[] =>
  unit
    .replaceAll(/`[^`]*`/g, 'code')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}/g, '')
    .split(/(?<=[.?!][”’")]*)\s+(?=\S)/)
    .map((sentence) => sentence.replace(/^(?:[-*#]+|\d+\.)\s+/, '').trim())
    .filter((sentence) => sentence !== '');

export const words = (sentence: string): number =>
  sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** How many lines of 120 characters a paragraph fills, at least as many as it has. */
export const linesOf = (unit: string): number =>
  unit.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 120)), 0);

/** Targets inside this repository, of links and pictures. */
export const localLinks = ({ text }: Page): string[] =>
  [...text.replaceAll(FENCE, '\n').matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)]
    .map(([, link, source]) => link ?? source ?? '')
    .filter((target) => !/^[a-z]+:/.test(target));

/** The anchors that GitHub makes of the headings. */
export const anchors = ({ text }: Page): string[] =>
  [...text.replaceAll(FENCE, '\n').matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** What stands in backticks outside of fenced blocks. */
export const inlineCode = ({ text }: Page): string[] =>
  [...text.replaceAll(FENCE, '\n').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
