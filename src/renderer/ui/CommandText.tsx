/** A command as a person can type it on this machine. */
import type { ReactNode } from 'react';
import { useCommand } from './command.js';

export function CommandText({ text }: { text: string }): ReactNode {
  return <code>{useCommand().line(text)}</code>;
}
