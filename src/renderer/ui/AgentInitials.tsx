import type { ReactNode } from 'react';
import { initialsText } from './initials-text.js';

export function AgentInitials({ initials }: { initials: string }): ReactNode {
  return (
    <span className="agent-initials" aria-hidden="true">
      {initialsText(initials)}
    </span>
  );
}
