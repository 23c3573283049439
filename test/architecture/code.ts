import { posix } from 'node:path';
import ts from 'typescript';
import { importsOf } from './imports.js';
import { GENERATED, LAYERS, LONGEST_FILE, SMALL } from './layers.js';
import { everyNode, isDeclaration, lineOf, type Source } from './source.js';

const SILENCERS = /@ts-(ignore|nocheck|expect-error)\b/;
const SHORTEST_OPENING = 60;

/** `any`, `!` and comments that silence the compiler. */
export function typeBreaches(source: Source): string[] {
  const { file } = source;
  const nodes = source.nodes.flatMap((node) => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) return [{ at: node.getStart(), why: 'uses any' }];
    if (ts.isNonNullExpression(node)) return [{ at: node.getStart(), why: 'uses the non-null !' }];
    if (ts.isPropertyDeclaration(node) || ts.isVariableDeclaration(node)) {
      return node.exclamationToken === undefined ? [] : [{ at: node.getStart(), why: 'uses the non-null !' }];
    }
    return [];
  });
  const comments = commentsOf(source)
    .filter((comment) => SILENCERS.test(comment.text))
    .map((comment) => ({ at: comment.pos, why: 'silences the compiler' }));
  return [...nodes, ...comments].map(({ at, why }) => `${source.path}:${lineOf(file, at)} ${why}`);
}

export const linesOf = (text: string): number => text.replace(/\n$/, '').split('\n').length;

const isWritten = ({ path }: Source): boolean => !isDeclaration(path) && !GENERATED.has(path);
export const isBudgeted = (source: Source): boolean => source.path.startsWith('src/') && isWritten(source);

/** Files too long, constant tables not counted. */
export function lengthBreaches(source: Source): string[] {
  if (!isWritten(source)) return [];
  const { file } = source;
  const tables = file.statements
    .filter(isTable)
    .map((each) => lineOf(file, each.end) - lineOf(file, each.getStart()) + 1);
  const lines = linesOf(source.text) - tables.reduce((sum, each) => sum + each, 0);
  return lines > LONGEST_FILE ? [`${source.path} has ${lines} lines`] : [];
}

/** State that outlives every owner: top-level `let` and `var` in the product. */
export function stateBreaches(source: Source): string[] {
  if (!source.path.startsWith('src/') || isDeclaration(source.path)) return [];
  const { file } = source;
  return file.statements
    .filter((each) => ts.isVariableStatement(each) && (each.declarationList.flags & ts.NodeFlags.Const) === 0)
    .map((each) => `${source.path}:${lineOf(file, each.getStart())} keeps state in the module`);
}

/** A layer with files must have its main file, and that must open with a comment. */
export function openingBreaches(sources: readonly Source[]): string[] {
  return LAYERS.flatMap((layer) => {
    const folder = `src/${layer.folder}/`;
    const inner = LAYERS.filter((each) => each !== layer && each.folder.startsWith(`${layer.folder}/`));
    const own = sources.filter(
      (each) => each.path.startsWith(folder) && !inner.some((other) => each.path.startsWith(`src/${other.folder}/`)),
    );
    if (own.length === 0) return [];
    const main = own.find((each) => each.path === `${folder}${layer.main}`);
    if (main === undefined) return [`${folder}${layer.main} is missing`];
    return openingOf(main.text).length >= SHORTEST_OPENING
      ? []
      : [`${main.path} does not open with what the layer is for`];
  });
}

function isTable(statement: ts.Statement): boolean {
  if (!ts.isVariableStatement(statement) || (statement.declarationList.flags & ts.NodeFlags.Const) === 0) return false;
  return !everyNode(statement).some((node) => ts.isFunctionLike(node) || ts.isClassLike(node));
}

function openingOf(text: string): string {
  const [first] = ts.getLeadingCommentRanges(text, 0) ?? [];
  return first === undefined ? '' : text.slice(first.pos, first.end);
}

function commentsOf({ text, nodes }: Source): { pos: number; text: string }[] {
  const seen = new Map<number, string>();
  if (!SILENCERS.test(text)) return [];
  for (const node of nodes) {
    const ranges = [
      ...(ts.getLeadingCommentRanges(text, node.pos) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.end) ?? []),
    ];
    for (const range of ranges) seen.set(range.pos, text.slice(range.pos, range.end));
  }
  return [...seen].map(([pos, text]) => ({ pos, text }));
}

/** Short files that one file imports, which lies beside them. */
export function smallFiles(sources: readonly Source[]): string[] {
  const budgeted = sources.filter(isBudgeted);
  const importers = new Map<string, Set<string>>();
  for (const one of budgeted)
    for (const { name } of importsOf(one)) {
      if (name?.startsWith('.') !== true) continue;
      const target = posix.join(posix.dirname(one.path), name).replace(/\.js$/, '');
      importers.set(target, (importers.get(target) ?? new Set()).add(one.path));
    }
  return budgeted.flatMap(({ path, text }) => {
    const [only, ...others] = importers.get(path.replace(/\.tsx?$/, '')) ?? [];
    const isBeside = only !== undefined && others.length === 0 && posix.dirname(only) === posix.dirname(path);
    return isBeside && linesOf(text) < SMALL.lines ? [path] : [];
  });
}
