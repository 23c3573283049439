/** A record of many actions, and the evidence of one, as a host would tell them. */
import { CLICK } from './titles.js';
import sharp from 'sharp';
import { matchesFilter, type Activity, type Evidence, type EvidenceFileName } from '../../src/main/protocol/index.js';
import type { PageHost } from './page-host.js';
import { activity, CLAUDE, CODEX } from './page-samples.js';

const HOUR = 3_600_000;
const APPS = ['Mail', 'Safari', 'Finder', 'Numbers'] as const;
const OUTCOMES = ['confirmed', 'unverified', 'denied', 'failed'] as const;
const EFFECTS = ['input', 'pointer', 'disclose', 'dangerous'] as const;

export const idOf = (seq: number): string => `00000000-0000-4000-8000-${String(seq).padStart(12, '0')}`;

/** Number `seq` of a long record: the same each time. */
export function rowAt(seq: number, of: number, now: number): Activity {
  const agent = seq % 3 === 0 ? CODEX : CLAUDE;
  return activity({
    seq,
    executionId: idOf(seq),
    at: new Date(now - (of - seq) * (HOUR / 20)).toISOString(),
    agent: { id: agent.id, name: agent.name, tile: agent.tile },
    effect: EFFECTS[seq % 4] ?? 'input',
    outcome: OUTCOMES[(seq >> 1) % 4] ?? 'confirmed',
    subject: {
      title: CLICK,
      target: `Row ${seq}`,
      app: APPS[seq % 4] ?? null,
      place: `Window ${seq}`,
    },
  });
}

const ROWS_PER_PAGE = 100;

/** Answers `activityPage` out of so many rows, as the real host does. */
export function serveRecord(host: PageHost, count: number, now = Date.now()): { rows: Activity[]; asked: number[] } {
  const rows = Array.from({ length: count }, (_, index) => rowAt(index + 1, count, now));
  const asked: number[] = [];
  host.answers.activityPage = ({ before, filter }) => {
    const fitting = rows.filter((row) => matchesFilter(filter, row));
    const older = fitting.filter((row) => before === null || row.seq < before);
    const found = older.slice(-ROWS_PER_PAGE).reverse();
    asked.push(found.length);
    return {
      rows: found,
      next: older.length > found.length ? (found.at(-1)?.seq ?? null) : null,
      total: fitting.length,
      damaged: 0,
      agents: [CLAUDE.name, CODEX.name],
    };
  };
  host.answers.thumbnails = ({ executionIds }) => ({
    pictures: executionIds.map((executionId) => ({ executionId, picture: null })),
  });
  return { rows, asked };
}

export function evidence(over: Partial<Evidence> = {}): Evidence {
  const one = activity({ seq: 41, executionId: idOf(41) });
  const at = Date.now() - 5 * 60_000;
  const time = (ms: number) => new Date(at + ms).toISOString();
  return {
    state: 'ended',
    activity: { ...one, at: time(388) },
    agent: CLAUDE,
    tool: 'click',
    protocol: 'mcp',
    workspace: '/Users/ana/code/lease-app',
    requestId: '7',
    requestDigest: 'a'.repeat(64),
    since: time(-6_000),
    startedAt: time(0),
    endedAt: time(388),
    decision: {
      kind: 'allowed', by: 'person', where: 'popover', approvalId: idOf(1), grantId: null, at: time(-900), waitedMs: 6_000,
    }, // prettier-ignore
    error: null,
    incomplete: false,
    dir: '/Users/ana/code/lease-app/artifacts/desktop/2026-11-21/41d8',
    files: [
      { name: 'before.png', bytes: 214_000, fileState: 'as_written' },
      { name: 'after.png', bytes: 209_000, fileState: 'as_written' },
      { name: 'trace.jsonl', bytes: 300, fileState: 'as_written' },
      { name: 'result.json', bytes: 2_400, fileState: 'as_written' },
    ],
    deleted: null,
    lineDamaged: false,
    line: { seq: 41, hash: `41d8${'0'.repeat(56)}7a52`, activity: null },
    previous: { seq: 40, hash: `9c41${'0'.repeat(56)}e07b`, activity: { ...one, seq: 40, executionId: idOf(40) } },
    newest: {
      seq: 1_284,
      hash: `b06e${'0'.repeat(56)}19f3`,
      activity: { ...one, seq: 1_284, executionId: idOf(1_284) },
    },
    ...over,
  };
}

export const WINDOW = { x: 100, y: 50, width: 900, height: 600 };
const ELEMENT = { role: 'AXButton', title: 'Archive', frame: { x: 560, y: 66, width: 40, height: 28 } };

export function resultText(over: object = {}): string {
  return JSON.stringify({
    effect: { class: 'input', verified: 'confirmed', before: ['row “Lease renewal”'], after: ['row “Invoice 1187”'] },
    plan: {
      subject: {},
      target: { kind: 'element', element: ELEMENT },
      window: { title: 'Inbox', frame: WINDOW, visible: true },
      ancestors: ['Toolbar', 'Inbox'],
      text: null,
      notes: [],
      look: { area: WINDOW, target: ELEMENT.frame },
    },
    result: { ok: true },
    ...over,
  });
}

export const traceText = (startedAt: string): string =>
  [
    { at: startedAt, step: 'click', method: 'AXPress', element: 'Button “Archive”' },
    { at: new Date(Date.parse(startedAt) + 250).toISOString(), step: 'wait', until: 'the window looks different' },
  ]
    .map((line) => JSON.stringify(line))
    .join('\n');

/** A drawn mail window of 900×600 points; after Archive, one row fewer. */
export async function windowPicture(rows: string[], scale = 1): Promise<Buffer> {
  const line = (text: string, index: number) =>
    `<rect x="200" y="${70 + index * 64}" width="280" height="56" rx="6" fill="${index === 0 ? '#0a6cff' : '#f6f6f7'}"/>
     <text x="214" y="${102 + index * 64}" font-size="15" fill="${index === 0 ? '#fff' : '#242427'}">${text}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 600" font-family="DejaVu Sans">
    <rect width="900" height="600" fill="#fff"/><rect width="900" height="52" fill="#ececf0"/><rect y="52" width="180" height="548" fill="#e3e3ea"/>
    <circle cx="22" cy="26" r="7" fill="#ff5f57"/><circle cx="46" cy="26" r="7" fill="#febc2e"/><circle cx="70" cy="26" r="7" fill="#28c840"/>
    <text x="200" y="33" font-size="17" font-weight="700" fill="#242427">Inbox</text><rect x="460" y="16" width="40" height="28" rx="5" fill="#d0d0d8"/>
    ${rows.map(line).join('')}<text x="520" y="110" font-size="19" font-weight="700" fill="#242427">${rows[0] ?? ''}</text></svg>`;
  return sharp(Buffer.from(svg))
    .resize(900 * scale, 600 * scale)
    .png()
    .toBuffer();
}

/** Answers everything about one action with these files. */
export function serveEvidence(
  host: PageHost,
  found: Evidence,
  files: Partial<Record<EvidenceFileName, Buffer | string>>,
  part = 1 << 16,
): void {
  host.answers.evidence = () => ({ evidence: found });
  host.answers.evidenceFile = ({ name, offset }) => {
    const fileState = found.files.find((file) => file.name === name)?.fileState ?? 'missing';
    const content = Buffer.from(files[name] ?? '');
    if (fileState !== 'as_written') return { fileState, bytes: content.length, base64: '', next: null };
    const end = Math.min(content.length, offset + part);
    const base64 = content.subarray(offset, end).toString('base64');
    return { fileState, bytes: content.length, base64, next: end < content.length ? end : null };
  };
}
