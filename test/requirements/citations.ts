import ts from 'typescript';

const RUNNERS = new Set(['describe', 'it', 'test']);
const NEVER_RUN = new Set(['skip', 'todo', 'skipIf']);

/** Ids in titles of tests that run: `it('… [req:ID]', …)`, also `describe` and `it.each(…)(…)`. */
export function citationsIn(source: string, fileName: string): string[] {
  const file = ts.createSourceFile(fileName, source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && RUNNERS.has(rootName(node.expression))) {
      if (namesOf(node.expression).some((name) => NEVER_RUN.has(name))) return;
      const [title, ...rest] = node.arguments;
      if (title !== undefined && rest.length > 0) found.push(...idsIn(title));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function idsIn(title: ts.Expression): string[] {
  const text = ts.isStringLiteralLike(title) || ts.isTemplateExpression(title) ? title.getText() : '';
  return [...text.matchAll(/\[req:([^\]\s]+)\]/g)].flatMap((match) => match[1] ?? []);
}

function rootName(expression: ts.Expression): string {
  return namesOf(expression)[0] ?? '';
}

/** `it.each(rows)` → it, each. */
function namesOf(expression: ts.Expression): string[] {
  if (ts.isIdentifier(expression)) return [expression.text];
  if (ts.isPropertyAccessExpression(expression)) return [...namesOf(expression.expression), expression.name.text];
  if (ts.isCallExpression(expression) || ts.isTaggedTemplateExpression(expression)) {
    return namesOf(ts.isCallExpression(expression) ? expression.expression : expression.tag);
  }
  return [];
}
