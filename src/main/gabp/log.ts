/** The latest lines of an application and of its connection. What it wrote is kept without hidden characters. */
import { plainWords } from '../protocol/plain-words.js';

const MAX_LINES = 200;
const MAX_LINE_CHARS = 500;

export interface AppLog {
  add(line: string): void;
  /** Oldest first. */
  lines(): { at: string; text: string }[];
}

export function createLog(): AppLog {
  const lines: { at: string; text: string }[] = [];
  return {
    add(line) {
      lines.push({ at: new Date().toISOString(), text: plainWords(line, MAX_LINE_CHARS) });
      if (lines.length > MAX_LINES) lines.shift();
    },
    lines: () => [...lines],
  };
}
