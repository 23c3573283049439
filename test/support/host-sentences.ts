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

/** What is given as `verb` or `done`: in an object, a variable or to a function that takes them under these names. */
export function verbs(all: readonly Source[]): Said[] {
  const found: Said[] = [];
  for (const { file, node } of all) {
    const takers = takersOf(node);
    walk(node, (one) => {
      if (ts.isPropertyAssignment(one) && isVerb(one.name.getText())) found.push(...saidBy(file, one.initializer));
      if (ts.isVariableDeclaration(one) && one.name.getText() === 'verb' && one.initializer !== undefined)
        found.push(...saidBy(file, one.initializer));
      if (ts.isCallExpression(one)) {
        const places = takers.get(one.expression.getText()) ?? [];
        for (const place of places) {
          const given = one.arguments[place];
          if (given !== undefined) found.push(...saidBy(file, given));
        }
      }
      return true;
    });
  }
  return found;
}

const isVerb = (name: string): boolean => name === 'verb' || name === 'done';

/** Functions of a file with parameters of these names, and where. */
function takersOf(node: ts.SourceFile): ReadonlyMap<string, number[]> {
  const takers = new Map<string, number[]>();
  walk(node, (one) => {
    const [name, made] = ts.isVariableDeclaration(one) ? [one.name.getText(), one.initializer] : ts.isFunctionDeclaration(one) ? [one.name?.text ?? '', one] : ['', undefined]; // prettier-ignore
    if (made !== undefined && (ts.isArrowFunction(made) || ts.isFunctionDeclaration(made))) {
      const places = made.parameters.flatMap((parameter, index) => (isVerb(parameter.name.getText()) ? [index] : []));
      if (places.length > 0) takers.set(name, places);
    }
    return true;
  });
  return takers;
}

/** Names and members only hand on what was said elsewhere; schemas say nothing. */
function saidBy(file: string, given: ts.Expression): Said[] {
  if (ts.isConditionalExpression(given)) return [...saidBy(file, given.whenTrue), ...saidBy(file, given.whenFalse)];
  if (ts.isIdentifier(given) || ts.isPropertyAccessExpression(given) || ts.isArrayLiteralExpression(given)) return [];
  if (given.getText().startsWith('z.')) return [];
  const pieces = piecesOf(given);
  const text = pieces?.length === 1 ? (pieces[0] ?? '') : given.getText().replace(/\s+/g, ' ');
  return text === '' ? [] : [{ file, text, pieces }];
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
