import ts from 'typescript';
import { COMPOSITION, LONGEST_COMPOSITION, LONGEST_FUNCTION } from './layers.js';
import { everyNode, lineOf, type Source } from './source.js';

/** A nested function from this length on is counted by itself, not within the function around it. */
const NESTED_LINES = 3;

/** Functions that are too long; tables of actions and nested functions are not counted. */
export function functionBreaches(source: Source): string[] {
  if (!source.path.startsWith('src/')) return [];
  return source.nodes.filter(isFunction).flatMap((node) => {
    const lines = ownLines(source.file, node);
    const most = COMPOSITION.some((path) => source.path.startsWith(path)) ? LONGEST_COMPOSITION : LONGEST_FUNCTION;
    return lines > most
      ? [`${source.path}:${lineOf(source.file, node.getStart())} has a function of ${lines} lines`]
      : [];
  });
}

/** `prettier-ignore` may keep a table of constants in columns, and nothing else. */
export function ignoreBreaches(source: Source): string[] {
  if (!source.path.startsWith('src/')) return [];
  const lines = source.text.split('\n');
  const tables = source.file.statements.filter(isTable).map((each) => ({
    first: lineOf(source.file, each.getFullStart()),
    last: lineOf(source.file, each.end),
  }));
  return lines.flatMap((line, index) => {
    if (!/\/\/ prettier-ignore/.test(line)) return [];
    const inTable = tables.some(({ first, last }) => index + 1 >= first && index + 1 <= last);
    return inTable ? [] : [`${source.path}:${index + 1} keeps prettier from code`];
  });
}

function isFunction(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;
}

function ownLines(file: ts.SourceFile, node: ts.Node): number {
  let lines = linesOf(file, node);
  const visit = (inner: ts.Node): void => {
    if (isFunction(inner) || isActionTable(inner)) {
      const nested = linesOf(file, inner);
      if (nested > NESTED_LINES) lines -= nested - 1;
      return;
    }
    ts.forEachChild(inner, visit);
  };
  ts.forEachChild(node, visit);
  return lines;
}

/** The object given to `defineAction`: schemas, texts and handlers of one tool. */
function isActionTable(node: ts.Node): boolean {
  return ts.isCallExpression(node) && node.expression.getText() === 'defineAction';
}

function isTable(statement: ts.Statement): boolean {
  if (!ts.isVariableStatement(statement) || (statement.declarationList.flags & ts.NodeFlags.Const) === 0) return false;
  return !everyNode(statement).some((node) => ts.isFunctionLike(node) || ts.isClassLike(node));
}

function linesOf(file: ts.SourceFile, node: ts.Node): number {
  return lineOf(file, node.end) - lineOf(file, node.getStart()) + 1;
}
