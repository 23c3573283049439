/** Drafts of replies and of messages with a denial, kept in this browser across reloads. */
import { useCallback, useState } from 'react';

const PREFIX = 'chaperone.draft.';

export function useDraft(id: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => read(id));
  const keep = useCallback(
    (next: string) => {
      setText(next);
      write(id, next);
    },
    [id],
  );
  return [text, keep];
}

/** Deletes the drafts of what no longer waits. */
export function pruneDrafts(pending: string[]): void {
  tryStorage(() => {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
    for (const key of keys) if (!pending.includes(key.slice(PREFIX.length))) localStorage.removeItem(key);
  });
}

function read(id: string): string {
  return tryStorage(() => localStorage.getItem(PREFIX + id)) ?? '';
}

function write(id: string, text: string): void {
  tryStorage(() => (text === '' ? localStorage.removeItem(PREFIX + id) : localStorage.setItem(PREFIX + id, text)));
}

/** Storage may be full or forbidden; then a draft only lives as long as the page. */
function tryStorage<T>(use: () => T): T | null {
  try {
    return use();
  } catch {
    return null;
  }
}
