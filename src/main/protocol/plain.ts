/** Text others control where no markup can go: labels, announcements, notifications. What is hidden is spelled out, what is long is cut. */
import { reveal, type RevealedSegment } from './reveal.js';

export const LONG_AGENT = 40;

export function plain(text: string, most: number = LONG_AGENT): string {
  const letters = [...reveal(text).segments.map(spelled).join('').replaceAll('\n', ' ')];
  return letters.length <= most ? letters.join('') : `${letters.slice(0, most).join('')}…`;
}

/** A piece of revealed text as plain characters. */
export function spelled(segment: RevealedSegment): string {
  if (segment.kind === 'text') return segment.text;
  if (segment.kind === 'newline') return '\n';
  return segment.kind === 'mixed_script' ? `${segment.text}⟦${segment.label}⟧` : `⟦${segment.label}⟧`;
}
