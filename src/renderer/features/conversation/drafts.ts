/** Drafts of replies and of messages with a denial, kept in this browser across reloads. */
import { useCallback, useState } from 'react';
import { readStored, storedNames, writeStored } from '../../ui/browser-storage.js';

const PREFIX = 'draft.';

export function useDraft(id: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => readStored(PREFIX + id) ?? '');
  const keep = useCallback(
    (next: string) => {
      setText(next);
      writeStored(PREFIX + id, next === '' ? null : next);
    },
    [id],
  );
  return [text, keep];
}

/** Deletes the drafts of what no longer waits. */
export function pruneDrafts(pending: string[]): void {
  for (const name of storedNames(PREFIX)) if (!pending.includes(name.slice(PREFIX.length))) writeStored(name, null);
}
