/** Words of a program that is not trusted, as they may be shown or listed: on one line, nothing hidden in them, not too long. Pure. */
import { sliceText } from '../../base/text.js';
import { hiddenKind } from './characters.js';

export function plainWords(given: string, most: number): string {
  const visible = [...sliceText(given, most * 4)].map((one) => (hiddenKind(one) === null ? one : ' ')).join('');
  const line = visible.replace(/\s+/gu, ' ').trim();
  return line.length <= most ? line : `${sliceText(line, most - 1)}…`;
}
