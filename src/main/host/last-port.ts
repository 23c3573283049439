import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';

const fileIn = (state: string) => join(state, 'port');

/** Tries the last used port first, so that an open page finds its host again. */
export function readLastPort(state: string): number | undefined {
  try {
    const port = Number(readFileSync(fileIn(state), 'utf8'));
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
  } catch {
    return undefined;
  }
}

export async function writeLastPort(state: string, port: number): Promise<void> {
  await writeFileAtomic(fileIn(state), String(port), { mode: 0o600 });
}
