import ts from 'typescript';
import { lineOf, type Source } from './source.js';

/** Messages that are shown as they are: for text from a person, a program or an older record, never for one of ours. */
const AS_IT_IS = 'verbatim';
const SENTENCE = /\p{L}+[\p{P}]* +\p{L}/u;

/** Sentences of ours that bypass the catalogues. The types of the errors leave no other way. */
export function sentenceBreaches({ path, file, nodes }: Source): string[] {
  if (!path.startsWith('src/')) return [];
  return nodes
    .filter((node) => ts.isCallExpression(node) && node.expression.getText() === AS_IT_IS)
    .filter((node) => ts.isCallExpression(node) && node.arguments.some((given) => SENTENCE.test(ownWords(given))))
    .map((node) => `${path}:${lineOf(file, node.getStart())} says a sentence that is in no catalogue`);
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
