import type { ReactNode } from 'react';
import { reveal } from '../../main/protocol/index.js';

export function AgentInitials({ initials }: { initials: string }): ReactNode {
  return (
    <span className="agent-initials" aria-hidden="true">
      {initialsText(initials)}
    </span>
  );
}

/** Up to two visible letters. */
function initialsText(text: string): string {
  const visible = reveal(text)
    .segments.filter(({ kind }) => kind === 'text' || kind === 'mixed_script')
    .map((segment) => segment.text)
    .join('');
  return [...visible.trim()].slice(0, 2).join('') || '?';
}
