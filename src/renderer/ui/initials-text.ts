import { reveal } from '../../main/protocol/index.js';

/** Up to two visible letters. */
export function initialsText(text: string): string {
  const visible = reveal(text)
    .segments.filter(({ kind }) => kind === 'text' || kind === 'mixed_script')
    .map((segment) => segment.text)
    .join('');
  return [...visible.trim()].slice(0, 2).join('') || '?';
}
