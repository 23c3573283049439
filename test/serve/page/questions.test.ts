import { verbatim } from '../../../src/messages/index.js';
import { describe, expect, it, vi } from 'vitest';
import type { PagesOptions } from '../../../src/main/serve/page/index.js';
import type { ChatEvent } from '../../../src/main/protocol/index.js';
import { activity, at, startPages, UID, uuid, browser } from './support.js';

const QUESTIONS = [
  { type: 'activityPage', before: null, filter: {} },
  { type: 'thumbnails', executionIds: [uuid(1)] },
  { type: 'evidence', executionId: uuid(1) },
  { type: 'evidenceFile', executionId: uuid(1), name: 'result.json', offset: 0 },
  { type: 'verifyEvidence', executionId: uuid(1) },
] as const;

function recordOf(): PagesOptions['archive'] {
  return {
    page: vi.fn<PagesOptions['archive']['page']>(async () => ({
      rows: [activity(7)], next: null, total: 1, damaged: 0, agents: ['A'],
    })), // prettier-ignore
    thumbnails: vi.fn(async (ids: readonly string[]) => ids.map((executionId) => ({ executionId, picture: null }))),
    evidence: vi.fn<PagesOptions['archive']['evidence']>(async () => null),
    file: vi.fn(async () => ({ fileState: 'as_written' as const, bytes: 3, base64: 'AAAA', next: null })),
    verify: vi.fn<PagesOptions['archive']['verify']>(async () => null),
    isWhole: vi.fn(() => true),
  };
}

const said = (seq: number, text = 'x'): ChatEvent => ({
  type: 'agentMessage', text, ack_id: uuid(seq), seq, at, agent: { id: 'a', name: 'A', tile: 'A' },
}); // prettier-ignore

describe('questions about the record', () => {
  it('[req:AP-R-8] are answered to a paired page, each under its request', async () => {
    const record = recordOf();
    const { openPaired } = await startPages({ archive: record });
    const page = await openPaired();
    await page.says({ ...QUESTIONS[0], request: uuid(50), filter: { effect: 'input', app: 'mail' } });
    expect(page.last('activityPage')).toMatchObject({ request: uuid(50), total: 1, agents: ['A'] });
    expect(record.page).toHaveBeenCalledWith(null, { effect: 'input', app: 'mail' });
    await page.says({ ...QUESTIONS[3], request: uuid(51) });
    expect(page.last('evidenceFile')).toMatchObject({ request: uuid(51), base64: 'AAAA' });
    await page.says({ ...QUESTIONS[2], request: uuid(52) });
    expect(page.last('error')).toMatchObject({ code: 'unknown_execution', about: uuid(52) });
    vi.mocked(record.isWhole).mockReturnValueOnce(false);
    await page.says({ ...QUESTIONS[2], request: uuid(54) });
    expect(page.last('error')).toMatchObject({ code: 'unindexed', about: uuid(54) });
    vi.mocked(record.evidence).mockResolvedValueOnce('damaged');
    await page.says({ ...QUESTIONS[2], request: uuid(53) });
    expect(page.last('error')).toMatchObject({ code: 'record_damaged', about: uuid(53) });
  });

  it('[req:AP-R-8] are refused to every other page, which learns nothing', async () => {
    const record = recordOf();
    const { open } = await startPages({ archive: record });
    for (const upgrade of [{}, { client: { ...browser, uid: UID + 1 } }, { client: null }]) {
      const page = open(upgrade);
      for (const [index, question] of QUESTIONS.entries()) {
        await page.says({ ...question, request: uuid(60 + index) });
        expect(page.last('error')).toMatchObject({ code: 'pairing_needed', about: uuid(60 + index) });
      }
    }
    for (const port of Object.values(record)) expect(port).not.toHaveBeenCalled();
  });

  it('go unanswered to a page that was unpaired meanwhile, and say when the host failed', async () => {
    let give: (pictures: never[]) => void = () => undefined;
    const record = { ...recordOf(), thumbnails: () => new Promise<never[]>((resolve) => (give = resolve)) };
    record.page = () => Promise.reject(new Error('disk'));
    const { openPaired, pairing } = await startPages({ archive: record });
    const page = await openPaired();
    await page.says({ ...QUESTIONS[0], request: uuid(70) });
    expect(page.last('error')).toMatchObject({ code: 'failed', about: uuid(70) });
    const asked = page.says({ ...QUESTIONS[1], request: uuid(71) });
    pairing.revoke(page.keyId);
    give([]);
    await asked;
    expect(page.all('thumbnails')).toEqual([]);
  });

  it('never name a file that is not one of the contract’s', async () => {
    const record = recordOf();
    const { openPaired } = await startPages({ archive: record });
    const page = await openPaired();
    for (const name of ['../result.json', '/etc/passwd', 'notes.txt'])
      await page.says({ ...QUESTIONS[3], name, request: uuid(80) });
    expect(page.all('error').map(({ code }) => code)).toEqual(['malformed', 'malformed', 'malformed']);
    expect(record.file).not.toHaveBeenCalled();
  });

  it('[req:AP-R-8] have a limit', async () => {
    const { openPaired } = await startPages({ archive: recordOf() });
    const page = await openPaired();
    for (let index = 0; index < 80; index += 1) {
      if (page.closed() !== null) break;
      await page.says({ ...QUESTIONS[0], request: uuid(100 + index) });
    }
    expect(page.all('error').map(({ code }) => code)).toContain('too_many');
    expect(page.all('activityPage').length).toBeLessThan(70);
  });
});

describe('[req:AP-C-4] the whole picture of a card', () => {
  const asked = { type: 'cardPicture', request: uuid(90), id: uuid(1) };

  it('goes to a paired page that asks, and to no other', async () => {
    const { open, openPaired, acts } = await startPages();
    for (const upgrade of [{}, { client: { ...browser, uid: UID + 1 } }, { client: null }]) {
      const page = open(upgrade);
      await page.says(asked);
      expect(page.last('error')).toMatchObject({ code: 'pairing_needed', about: uuid(90) });
    }
    expect(acts.picture).not.toHaveBeenCalled();
    const page = await openPaired();
    await page.says(asked);
    expect(page.last('cardPicture')).toEqual({ ...asked, id: undefined, digest: 'd', picture: null });
    acts.picture.mockResolvedValueOnce({ ok: false, code: 'unknown_card', message: verbatim('Gone.') });
    await page.says({ ...asked, request: uuid(91) });
    expect(page.last('error')).toMatchObject({ code: 'unknown_card', about: uuid(91) });
  });
});

describe('older parts of the conversation', () => {
  const events = Array.from({ length: 700 }, (_, index) => said(index + 1));
  const chat = {
    answer: () => ({ ok: true as const, seq: 1 }), write: () => ({ ok: true as const, seq: 1 }), pending: () => [], cursor: () => 700, events: () => events, floor: () => 0, earlier: async () => ({ events, since: 0 }), on: () => () => undefined,
  }; // prettier-ignore

  it('go to any page of this user, part by part to the first', async () => {
    const { open } = await startPages({ chat });
    const page = open();
    const found: number[] = [];
    for (let before = 701; before > 1;) {
      await page.says({ type: 'earlier', request: uuid(before), before });
      const part = page.last('earlier');
      expect(part.request).toBe(uuid(before));
      found.unshift(...part.events.map(({ seq }) => seq));
      before = part.since + 1;
    }
    expect(found).toEqual(events.map(({ seq }) => seq));
    expect(page.all('earlier').length).toBe(3);
  });

  it('go to nobody else', async () => {
    const { open } = await startPages({ chat });
    const page = open({ client: { ...browser, uid: UID + 1 } });
    await page.says({ type: 'earlier', request: uuid(1), before: 700 });
    expect(page.last('error')).toMatchObject({ code: 'pairing_needed', about: uuid(1) });
    expect(page.all('earlier')).toEqual([]);
  });

  it('are cut where they are very long, and one that is longer than that comes alone', async () => {
    const long = [said(1), said(2, 'y'.repeat(900_000)), said(3, 'z'.repeat(400_000)), said(4)];
    const { open } = await startPages({ chat: { ...chat, earlier: async () => ({ events: long, since: 0 }) } });
    const page = open();
    const part = async (before: number) => {
      await page.says({ type: 'earlier', request: uuid(before), before });
      const { events: got, since } = page.last('earlier');
      return [got.map(({ seq }) => seq), since];
    };
    expect(await part(5)).toEqual([[3, 4], 2]);
    expect(await part(3)).toEqual([[2], 1]);
    expect(await part(2)).toEqual([[1], 0]);
  });
});
