/** A record that is longer than what a host reads before it has started. */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeLine, FIRST_PREVIOUS_HASH } from '../../src/main/evidence/log-lines.js';
import type { AuditEntry, ExecutionFacts } from '../../src/main/evidence/audit-entries.js';
import { CLICK } from './titles.js';

export const LONG = 1_500;

export const logOf = (stateDir: string) => join(stateDir, 'audit.jsonl');
export const indexOf = (stateDir: string) => join(stateDir, 'audit.sqlite');

interface Written {
  text: string;
  hash: string;
  interrupted: string;
  ids: readonly string[];
}

/** By their number of lines: the same lines in each place that they are written to. */
const made = new Map<number, Written>();

/** Its first line is of a call that was acting when the host ended; the others are of reads that ended. */
export async function writeLongRecord(stateDir: string, lines = LONG): Promise<{ interrupted: string; ids: string[] }> {
  const { text, hash, interrupted, ids } = made.get(lines) ?? makeLines(lines);
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  await writeFile(logOf(stateDir), text, { mode: 0o600 });
  await writeHead(stateDir, { count: lines, hash });
  return { interrupted, ids: [...ids] };
}

function makeLines(lines: number): Written {
  const interrupted = randomUUID();
  const ids: string[] = [];
  let hash = FIRST_PREVIOUS_HASH;
  let text = '';
  for (let seq = 1; seq <= lines; seq += 1) {
    const entry = seq === 1 ? abandoned(interrupted) : ended(seq);
    const sealed = encodeLine(entry, seq, hash);
    hash = sealed.hash;
    text += sealed.line;
    ids.push(entry.execution.executionId);
  }
  const written = { text, hash, interrupted, ids };
  made.set(lines, written);
  return written;
}

export const writeHead = (stateDir: string, head: { count: number; hash: string }): Promise<void> =>
  writeFile(join(stateDir, 'audit.head.json'), JSON.stringify({ v: 1, ...head }), { mode: 0o600 });

/** Changes lines of the log, in the same file. `line` counts from 1, or from the end where negative. */
export async function changeLine(stateDir: string, line: number, change: (text: string) => string): Promise<void> {
  const lines = (await readFile(logOf(stateDir), 'utf8')).trimEnd().split('\n');
  const index = line < 0 ? lines.length + line : line - 1;
  lines[index] = change(lines[index] ?? '');
  await writeFile(logOf(stateDir), lines.map((one) => `${one}\n`).join(''));
}

export const editName = (line: string) => line.replace('"Mail', '"Bank');

const WHO = { pid: 42, startTime: '99', executable: '/usr/bin/node', script: null };
// Long enough for few lines to be a long record.
const FILL = 'x'.repeat(600);

function execution(seq: number, callId: string): ExecutionFacts {
  const at = new Date(1_760_000_000_000 + seq * 1_000).toISOString();
  return {
    ...{ executionId: randomUUID(), callId, requestId: `${seq}-${FILL}`, requestDigest: 'd'.repeat(64) },
    tool: 'click_element',
    effect: 'read',
    ...{ protocol: 'mcp', workspace: '/work', dir: null, since: at },
    subject: { title: CLICK, target: 'Send', app: `Mail ${seq % 7}`, place: null },
    agent: { ...WHO, id: `a${seq % 3}`, name: `Agent ${seq % 3}`, tile: 'AG', claim: null, cwd: '/work' },
    peer: { ...WHO, uid: 1000 },
  };
}

function ended(seq: number): Extract<AuditEntry, { kind: 'ended' }> {
  const one = execution(seq, randomUUID());
  const rest = { outcome: 'confirmed', verified: null, decision: null, error: null, incomplete: false } as const;
  return { kind: 'ended', at: one.since, execution: one, ...rest, files: [] };
}

function abandoned(callId: string): Extract<AuditEntry, { kind: 'abandoned' }> {
  const one = execution(1, callId);
  return { kind: 'abandoned', at: one.since, execution: one, started: true };
}
