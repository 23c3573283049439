/** Agent text where no markup can go: labels, placeholders, announcements. What is hidden is spelled out, what is long is cut. */
import { reveal, type RevealedSegment } from '../../main/protocol/index.js';

export const LONG_AGENT = 40;

export function plain(text: string, most: number = LONG_AGENT): string {
  const letters = [...reveal(text).segments.map(spelled).join('').replaceAll('\n', ' ')];
  return letters.length <= most ? letters.join('') : `${letters.slice(0, most).join('')}…`;
}

/** At most two letters that show themselves. */
export function tileText(text: string): string {
  const seen = reveal(text).segments.filter(({ kind }) => kind === 'text' || kind === 'mixed_script');
  return [...seen.map((segment) => segment.text).join('').trim()].slice(0, 2).join('') || '?'; // prettier-ignore
}

/** A piece of revealed text as plain characters. */
export function spelled(segment: RevealedSegment): string {
  if (segment.kind === 'text') return segment.text;
  if (segment.kind === 'newline') return '\n';
  return segment.kind === 'mixed_script' ? `${segment.text}⟦${segment.label}⟧` : `⟦${segment.label}⟧`;
}
