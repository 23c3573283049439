/** Drafts of replies and of messages with a denial, kept in this browser across reloads. */
import { useCallback, useState } from 'react';
import { readStored, storedNames, writeStored } from '../../ui/browser-storage.js';

/** Each has names of its own, so that one is never taken for the other. */
const PREFIXES = { reply: 'draft.', denial: 'denial.' } as const;
type DraftOf = keyof typeof PREFIXES;

/** `id`: of the question or request that it belongs to. */
export function useDraft(of: DraftOf, id: string): [string, (text: string) => void] {
  const name = PREFIXES[of] + id;
  const [text, setText] = useState(() => readStored(name) ?? '');
  const keep = useCallback(
    (next: string) => {
      setText(next);
      writeStored(name, next === '' ? null : next);
    },
    [name],
  );
  return [text, keep];
}

/** Deletes the drafts of what no longer waits. */
export function pruneDrafts(of: DraftOf, pending: string[]): void {
  const prefix = PREFIXES[of];
  for (const name of storedNames(prefix)) if (!pending.includes(name.slice(prefix.length))) writeStored(name, null);
}
