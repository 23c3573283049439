/** A sentence of the host. What stands between backticks is a command, shown as one that works on this machine. */
import type { ReactNode } from 'react';
import { useCommand } from './command.js';
import { RevealedText } from './RevealedText.js';

export function SentenceText({ text }: { text: string }): ReactNode {
  const { inText } = useCommand();
  const parts = inText(text).split(/`([^`]+)`/);
  return parts.map((part, index) => {
    if (index % 2 === 0) return part === '' ? null : <RevealedText key={index} text={part} />;
    return (
      <code key={index}>
        <RevealedText text={part} />
      </code>
    );
  });
}
