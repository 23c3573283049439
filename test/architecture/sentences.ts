import ts from 'typescript';
import { lineOf, type Source } from './source.js';

/** Messages that are shown as they are: for text from a person, a program or an older record, never for one of ours. */
const AS_IT_IS = 'verbatim';
const SENTENCE = /\p{L}+[\p{P}]* +\p{L}/u;

/** Not JavaScript's own, which are for faults of Chaperone itself, nor the MCP SDK's. */
const OWN_ERROR = /^(?!(?:Type|Range|Protocol)?Error$)[A-Z]\w*(?:Error|Fault|Lost|Refused|Failure|Facts)$/;

/** Sentences of ours that bypass the catalogues. */
export function sentenceBreaches({ path, file, nodes }: Source): string[] {
  if (!path.startsWith('src/')) return [];
  return nodes
    .filter((node) => shownBy(node).some((given) => SENTENCE.test(ownWords(given))))
    .map((node) => `${path}:${lineOf(file, node.getStart())} says a sentence that is in no catalogue`);
}

/** What is shown as it is: all of such a message, and texts that are given to an error themselves. */
function shownBy(node: ts.Node): readonly ts.Expression[] {
  if (ts.isCallExpression(node)) return node.expression.getText() === AS_IT_IS ? node.arguments : [];
  if (!ts.isNewExpression(node) || !OWN_ERROR.test(node.expression.getText())) return [];
  return (node.arguments ?? []).filter((one) => ts.isStringLiteralLike(one) || ts.isTemplateExpression(one));
}

/** The literal text of an expression, values left out. */
function ownWords(node: ts.Node): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join('0');
  const words: string[] = [];
  ts.forEachChild(node, (child) => void words.push(ownWords(child)));
  return words.join('\n');
}
