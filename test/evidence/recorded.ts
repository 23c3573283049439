import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { verifyEvidence, type VerifyResult } from '../../src/main/evidence/index.js';
import { runOne, type Place } from './support.js';

export interface Recording extends Place {
  log: string;
  head: string;
  dirs: string[];
  lines(): Promise<string[]>;
  rewrite(lines: string[]): Promise<void>;
  verify(): Promise<VerifyResult>;
}

/** Three whole executions of a recorder that has been closed: nine lines. `place` comes from `places()`. */
export async function recordedAt(place: () => Promise<Place>): Promise<Recording> {
  const at = await place();
  const recorder = await at.open();
  const dirs: string[] = [];
  for (let n = 0; n < 3; n++) dirs.push((await runOne(recorder, at.workspace)).dir);
  await recorder.close();
  const log = join(at.stateDir, 'audit.jsonl');
  return {
    ...at,
    log,
    head: join(at.stateDir, 'audit.head.json'),
    dirs,
    lines: async () => (await readFile(log, 'utf8')).trimEnd().split('\n'),
    rewrite: (lines) => writeFile(log, lines.map((line) => `${line}\n`).join('')),
    verify: () => verifyEvidence({ stateDir: at.stateDir, inUse: false }),
  };
}

export const kinds = (verdict: VerifyResult) => [...new Set(verdict.problems.map(({ kind }) => kind))];
