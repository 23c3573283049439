/** What the host's sources say, read from the sources themselves: literals and templates, with where they stand. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '../../src');

export interface Said {
  /** Under `src`. */
  file: string;
  /** A literal as it is; of anything else its source text. */
  text: string;
  /** Of a template: literal, expression, literal …; otherwise the literal alone. null: it is put together otherwise. */
  pieces: string[] | null;
}

export interface Source {
  file: string;
  node: ts.SourceFile;
}

/** Every `.ts` file of these folders and files. */
export const sources = (...paths: string[]): Source[] => sourcesWith('', ...paths);

/** Those of them that hold this. */
export function sourcesWith(text: string, ...paths: string[]): Source[] {
  return paths.flatMap(filesOf).flatMap((path) => {
    const source = readFileSync(path, 'utf8');
    if (!source.includes(text)) return [];
    const node = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
    return [{ file: relative(ROOT, path), node }];
  });
}

function filesOf(path: string): string[] {
  if (path.endsWith('.ts')) return [join(ROOT, path)];
  const names = readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts')).map((name) => join(ROOT, path, name));
}

export function walk(node: ts.Node, visit: (node: ts.Node) => boolean): void {
  if (visit(node)) ts.forEachChild(node, (child) => walk(child, visit));
}

export function piecesOf(node: ts.Node): string[] | null {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (!ts.isTemplateExpression(node)) return null;
  return [node.head.text, ...node.templateSpans.flatMap(({ expression, literal }) => [expression.getText().replace(/\s+/g, ' '), literal.text])]; // prettier-ignore
}

export interface Wanted {
  /** Whether the literals below this node are meant for whoever is asked about. */
  inside(node: ts.Node): boolean;
  sentence(pieces: readonly string[]): boolean;
}

/** Literals and templates that read like a sentence, below the nodes that are wanted. */
export function sentences(all: readonly Source[], { inside, sentence }: Wanted): Said[] {
  const found: Said[] = [];
  for (const { file, node } of all) {
    walk(node, (one) => {
      if (!inside(one)) return true;
      walk(one, (inner) => {
        const pieces = piecesOf(inner);
        if (pieces === null || !sentence(pieces)) return true;
        found.push({ file, text: ts.isStringLiteralLike(inner) ? inner.text : inner.getText(), pieces });
        return false;
      });
      return false;
    });
  }
  return found;
}

/** Sentences as they may come out, each expression as what it may stand for. */
export function readings(pieces: readonly string[], values: (expression: string) => readonly string[]): string[] {
  return pieces.reduce<string[]>(
    (all, piece, index) => {
      const next = index % 2 === 0 ? [piece] : values(piece);
      return all.flatMap((one) => next.map((value) => one + value));
    },
    [''],
  );
}
