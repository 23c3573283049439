/** An agent's message. What reads Markdown is not in the page's first file: until it is here, and where it cannot be had, the text is shown as it was written. */
import { useSyncExternalStore, type ReactNode } from 'react';
import type { AgentMessage } from '../../../main/protocol/index.js';
import type * as MarkdownReader from './Markdown.js';
import { loadedOnce } from '../../ui/loaded.js';
import { PlainText } from './PlainText.js';

const reader = loadedOnce<typeof MarkdownReader>(() => import('./Markdown.js'));

export const loadMarkdown = reader.load;

/** Reads a message that will be rendered soon, so that its frame has less to do. */
export function prepareMarkdown(message: AgentMessage): void {
  reader.get()?.prepareMarkdown(message);
}

export function MarkdownText({ message }: { message: AgentMessage }): ReactNode {
  const found = useSyncExternalStore(reader.on, reader.get);
  if (found !== null) return <found.Markdown message={message} />;
  return (
    <div className="body md" dir="auto">
      <PlainText text={message.text} />
    </div>
  );
}
