/** How this machine calls the command line: commands are shown as a person can type them. */
import { createContext, useContext, type ReactNode, useEffect, useState } from 'react';
import { withLocalCommand, localCommand } from '../../main/protocol/local-command.js';
import { t } from '../strings.js';
import { Button } from './Button.js';
import { RevealedText } from './RevealedText.js';

export const CommandContext = createContext('chaperone');

function useCommand(): { line(command: string): string; inText(text: string): string } {
  const own = useContext(CommandContext);
  return { line: (command) => localCommand(command, own), inText: (text) => withLocalCommand(text, own) };
}

// A command as a person can type it on this machine.

export function CommandText({ text }: { text: string }): ReactNode {
  return <code>{useCommand().line(text)}</code>;
}

// A command to run in a terminal, and a button that copies it.

const FEEDBACK_MS = 2000;

export function CopyLine({ text: command }: { text: string }): ReactNode {
  const text = useCommand().line(command);
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), FEEDBACK_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <div className="copy">
      <code tabIndex={0}>
        <RevealedText text={text} />
      </code>
      <Button icon={copied ? 'check' : 'copy'} variant="quiet sm" onClick={copy}>
        <span className="cl" role="status">
          {copied ? t('page.first.copied') : t('page.first.copy')}
        </span>
      </Button>
    </div>
  );
}

// A sentence of the host. What stands between backticks is a command, shown as one that works on this machine.

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
