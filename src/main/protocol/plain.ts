/** Text others control where no markup can go: labels, announcements, notifications. What is hidden is spelled out, what is long is cut. */
import { reveal, type RevealedSegment } from './reveal.js';

export const MAX_AGENT_LENGTH = 40;

export function toPlainText(text: string, most: number = MAX_AGENT_LENGTH): string {
  const letters = [...reveal(text).segments.map(segmentText).join('').replaceAll('\n', ' ')];
  return letters.length <= most ? letters.join('') : `${letters.slice(0, most).join('')}…`;
}

/** A piece of revealed text as plain characters. */
export function segmentText(segment: RevealedSegment): string {
  if (segment.kind === 'text') return segment.text;
  if (segment.kind === 'newline') return '\n';
  return segment.kind === 'mixed_script' ? `${segment.text}⟦${segment.label}⟧` : `⟦${segment.label}⟧`;
}
