/** What the fixture applications write down of what reached them. */
import { readFile } from 'node:fs/promises';

export interface JournalLine {
  control: string;
  event: string;
  value: string;
}

export async function readJournal(path: string): Promise<JournalLine[]> {
  const content = await readFile(path, 'utf8').catch(() => '');
  // What follows the last line break is still being written.
  return content
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as JournalLine);
}
