/** What a person reads in the record on disk, of this run of the host and of earlier ones. */
import { message } from '../../../messages/index.js';
import type { EvidenceRecorder } from '../../evidence/index.js';
import type { Definitions, PageRefusal } from './definition.js';
import type { ChatEvent } from '../../protocol/index.js';

/** What a page gets at first; one that says where it stopped reading gets up to `missed` times as much. */
export const NEWEST = { events: 1_000, textChars: 2_000_000, imageChars: 12_000_000, missed: 5 } as const;

/** One part of the conversation when a page scrolls back. */
const EARLIER = { events: 300, textChars: 500_000, imageChars: 6_000_000 } as const;

interface ChatHistory {
  events: ChatEvent[];
  /** No event after this seq is missing. */
  since: number;
}

/**
 * The newest events that fit, at least those after `cursor`, and every question that still waits, however old. Images that do not
 * fit are left out before any text is. Of events up to `floor` there are more than `all` has.
 */
export function newestHistory(all: ChatEvent[], pending: string[], cursor: number | null, floor = 0): ChatHistory {
  let events = 0;
  let text = 0;
  let pictures = 0;
  const kept: ChatEvent[] = [];
  let index = all.length - 1;
  for (; index >= 0; index -= 1) {
    const event = all[index];
    if (!event) break;
    events += 1;
    text += textOf(event);
    const most = cursor !== null && event.seq > cursor ? NEWEST.missed : 1;
    if (events > NEWEST.events * most || text > NEWEST.textChars * most) break;
    const images = imagesOf(event);
    const fits = pictures + images <= NEWEST.imageChars;
    kept.push(fits ? event : withoutImages(event));
    if (fits) pictures += images;
  }
  const older = all.slice(0, index + 1);
  const waiting = new Set(pending);
  const asked = older.filter((event) => event.type === 'agentMessage' && waiting.has(event.ack_id));
  return { events: [...asked, ...kept.reverse()], since: Math.max(older.at(-1)?.seq ?? 0, floor) };
}

/** The events right before that number, as many as fit into one answer. Of events up to `floor` there are more than `all` has. */
export function historyBefore(all: ChatEvent[], before: number, floor: number): ChatHistory {
  const older = all.slice(0, all.findLastIndex((event) => event.seq < before) + 1);
  const kept: ChatEvent[] = [];
  let text = 0;
  let pictures = 0;
  for (const event of older.toReversed()) {
    text += textOf(event);
    if (kept.length > 0 && (kept.length >= EARLIER.events || text > EARLIER.textChars)) break;
    const images = imagesOf(event);
    const fits = pictures + images <= EARLIER.imageChars;
    kept.push(fits ? event : withoutImages(event));
    if (fits) pictures += images;
  }
  return { events: kept.reverse(), since: Math.max(older[older.length - kept.length - 1]?.seq ?? 0, floor) };
}

export function withoutImages(event: ChatEvent): ChatEvent {
  if (event.type !== 'userMessage' || !event.images) return event;
  const { images: _, ...rest } = event;
  return rest;
}

function textOf(event: ChatEvent): number {
  return 'text' in event ? event.text.length : 100;
}

function imagesOf(event: ChatEvent): number {
  const images = event.type === 'userMessage' ? (event.images ?? []) : [];
  return images.reduce((sum, image) => sum + image.base64.length, 0);
}

export interface RecordDependencies {
  archive: EvidenceRecorder['archive'];
}

type Handled = 'activityPage' | 'thumbnails' | 'evidence' | 'evidenceFile' | 'verifyEvidence';

const UNKNOWN: PageRefusal = { ok: false, code: 'unknown_execution', message: message('refused.unknown_execution') };
const DAMAGED: PageRefusal = {
  ok: false,
  code: 'record_damaged',
  message: message('refused.record_damaged'),
};

const UNINDEXED: PageRefusal = { ok: false, code: 'unindexed', message: message('error.unindexed') };
const notFound = ({ archive }: RecordDependencies): PageRefusal => (archive.isWhole() ? UNKNOWN : UNINDEXED);

export const recordHandlers: Definitions<Handled, RecordDependencies> = {
  activityPage: {
    role: 'paired',
    handler: ({ archive }, { before, filter }) => archive.page(before, filter),
  },
  thumbnails: {
    role: 'paired',
    handler: async ({ archive }, { executionIds }) => ({ pictures: await archive.thumbnails(executionIds) }),
  },
  evidence: {
    role: 'paired',
    async handler(parts, { executionId }) {
      const evidence = await parts.archive.evidence(executionId);
      return evidence === null ? notFound(parts) : evidence === 'damaged' ? DAMAGED : { evidence };
    },
  },
  evidenceFile: {
    role: 'paired',
    handler: async (parts, { executionId, name, offset }) =>
      (await parts.archive.file(executionId, name, offset)) ?? notFound(parts),
  },
  verifyEvidence: {
    role: 'paired',
    async handler(parts, { executionId }) {
      const verdict = await parts.archive.verify(executionId);
      return verdict === null ? notFound(parts) : { verdict };
    },
  },
};
