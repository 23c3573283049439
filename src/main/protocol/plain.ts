/** Untrusted text for places without markup (labels, announcements, notifications): hidden characters get labels, long text is cut. */
import { reveal, type RevealedSegment } from './reveal.js';

export const MAX_AGENT_NAME_LENGTH = 40;

export function toPlainText(text: string, most: number = MAX_AGENT_NAME_LENGTH): string {
  const letters = [...reveal(text).segments.map(segmentText).join('').replaceAll('\n', ' ')];
  return letters.length <= most ? letters.join('') : `${letters.slice(0, most).join('')}…`;
}

export function segmentText(segment: RevealedSegment): string {
  if (segment.kind === 'text') return segment.text;
  if (segment.kind === 'newline') return '\n';
  return segment.kind === 'mixed_script' ? `${segment.text}⟦${segment.label}⟧` : `⟦${segment.label}⟧`;
}
