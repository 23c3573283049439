/** A command to run in a terminal, and a button that copies it. */
import { useEffect, useState, type ReactNode } from 'react';
import { useCommand } from './command.js';
import { t } from '../strings.js';
import { Button } from './Button.js';
import { RevealedText } from './RevealedText.js';

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
