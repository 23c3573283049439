/** The scripts and styles that are a part of the built page, for its CSP: nothing else inline runs or applies. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Sources of a CSP: `'sha256-…'`. */
export interface InlineCode {
  scripts: readonly string[];
  styles: readonly string[];
}

/** As the build writes them; anything with attributes is no part of the first view and gets no hash. */
const INLINE = /<(script|style)>([^]*?)<\/\1>/g;

export function inlineCodeOf(html: string): InlineCode {
  const found = [...html.matchAll(INLINE)].map(([, tag, text = '']) => ({ tag, source: sourceOf(text) }));
  const of = (wanted: string): string[] => found.filter(({ tag }) => tag === wanted).map(({ source }) => source);
  return { scripts: of('script'), styles: of('style') };
}

const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

interface BuiltPage {
  html: string;
  inline: InlineCode;
}

/** The page built in this folder, read again when it was built anew; null where there is none. */
export function watchBuiltPage(dir: string): () => BuiltPage | null {
  const file = join(dir, 'index.html');
  let known: { stamp: string; page: BuiltPage } | null = null;
  return () => {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return null;
    const stamp = `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
    if (known?.stamp !== stamp) known = { stamp, page: pageOf(readFileSync(file, 'utf8')) };
    return known.page;
  };
}

const pageOf = (html: string): BuiltPage => ({ html, inline: inlineCodeOf(html) });
