import { describe, expect, it, vi } from 'vitest';
import { presetPolicy } from '../../../src/main/approvals/index.js';
import { Stopped } from '../../../src/main/pipeline/failures.js';
import type { DemoRunner } from '../../../src/main/serve/page/programs.js';
import { ask } from '../../chat/support.js';
import { activity, at, browser, card, fakePage, startPages, UID, uuid } from './support.js';
import { verbatim } from '../../../src/messages/index.js';

const PNG = [{ mimeType: 'image/png', base64: 'AAAA' }];

describe('[req:AP-S-6] the demo', () => {
  const asked = { type: 'runDemo', request: uuid(80), language: 'zh' };

  it('runs for a paired page and the popover, and for nobody else', async () => {
    const run = vi.fn<DemoRunner['run']>(async () => ({ outcome: 'finished', why: null }));
    const { open, openPaired, pages } = await startPages({ demo: { run } });
    for (const upgrade of [{}, { client: null }, { client: { ...browser, uid: UID + 1 } }]) {
      const page = open(upgrade);
      await page.says(asked);
      expect(page.last('error')).toMatchObject({ code: 'pairing_needed', about: uuid(80) });
    }
    expect(run).not.toHaveBeenCalled();
    const page = await openPaired();
    await page.says(asked);
    expect(page.last('runDemo')).toEqual({ type: 'runDemo', request: uuid(80), outcome: 'finished', why: null });
    expect(run).toHaveBeenLastCalledWith('zh', { where: 'page', by: page.keyId });
    const popover = fakePage();
    pages.acceptPopover(popover.socket);
    await popover.says(asked);
    expect(run).toHaveBeenLastCalledWith('zh', { where: 'popover', by: 'popover' });
    run.mockResolvedValueOnce({ ok: false, code: 'demo_running', message: verbatim('It runs.') });
    await popover.says({ ...asked, request: uuid(81) });
    expect(popover.last('error')).toMatchObject({ code: 'demo_running', about: uuid(81) });
    await popover.says({ ...asked, language: 'xx' });
    expect(popover.last('error')).toMatchObject({ code: 'malformed' });
  });

  it('is refused where the host does not know what starts it', async () => {
    const { openPaired } = await startPages();
    const page = await openPaired();
    await page.says(asked);
    expect(page.last('error')).toMatchObject({ code: 'demo_not_offered', about: uuid(80) });
  });
});

describe('[req:CM-4] commands that were kept running', () => {
  const kept = { id: uuid(90), agent: 'A', command: 'serve', since: Date.parse(at), processes: [], outlives: false };

  it('are shown to and ended by a paired page, and by no other', async () => {
    const commands = {
      list: () => [kept],
      onChange: vi.fn((_listener: () => void) => () => undefined),
      end: vi.fn(async () => []),
      outlive: vi.fn(() => true),
    };
    const { open, openPaired } = await startPages({ keptCommands: commands });
    const stranger = open();
    const tell = commands.onChange.mock.calls[0]?.[0];
    tell?.();
    expect(stranger.all('commands')).toEqual([]);
    for (const message of [
      { type: 'endCommand', id: kept.id },
      { type: 'outliveCommand', id: kept.id, on: true },
    ]) {
      await stranger.says(message);
      expect(stranger.last('error')).toMatchObject({ code: 'pairing_needed' });
    }
    expect([commands.end, commands.outlive].flatMap((one) => one.mock.calls)).toEqual([]);

    const page = await openPaired();
    expect(page.last('commands').commands).toEqual([{ ...kept, since: at, processes: 0 }]);
    tell?.();
    expect(page.all('commands')).toHaveLength(2);
    await page.says({ type: 'outliveCommand', id: kept.id, on: true });
    expect(commands.outlive).toHaveBeenCalledWith(kept.id, true);
    await page.says({ type: 'endCommand', id: kept.id });
    expect(commands.end).toHaveBeenCalledWith(kept.id);
  });
});

describe('an unpaired page', () => {
  it('[req:DS-7-6] [req:DS-7-11] is greeted at once with the conversation and nothing else', async () => {
    const { chat, open } = await startPages();
    const { ackId } = await ask(chat, 'a', 'c1', 'Which?');
    const page = open();
    const connected = page.last('connected');
    expect(connected).toMatchObject({
      role: 'unpaired', pendingAckId: ackId, pendingAckIds: [ackId], cursor: 1, since: 0,
      approvals: [], activity: [], grants: [], policy: null, health: null,
      status: { state: 'watching', agents: [] },
    }); // prettier-ignore
    expect(connected.history).toMatchObject([{ type: 'agentMessage', text: 'Which?' }]);
    expect(JSON.stringify(page.got())).not.toContain('secret-agent');
  });

  it('[req:DS-7-13] [req:DS-7-11] answers, as unpaired, and the agent sees that', async () => {
    const { chat, open } = await startPages();
    const asked = await ask(chat, 'a', 'c1', 'Which?');
    const page = open();
    await page.says({ type: 'ack', id: asked.ackId, message: 'left' });
    expect(await asked.reply).toMatchObject({ reply: 'left', paired: false });
    expect(page.last('userMessage')).toMatchObject({ text: 'left', paired: false });
  });

  it('[req:DS-7-11] is not told of approvals, activity, policy or agents, and hears of a pause', async () => {
    const { open, news, state } = await startPages();
    const page = open();
    const before = page.got().length;
    news.cards.tell({ kind: 'requested', card: card(2) });
    news.activity.tell(activity(8));
    news.status.tell({ ...state.status, state: 'watching' });
    expect(page.got()).toHaveLength(before);
    news.status.tell({
      ...state.status,
      state: 'paused',
      paused: { by: 'page', at: '2026-01-01T00:00:00Z', reason: verbatim('stopped') },
    });
    expect(page.last('status').status).toMatchObject({ state: 'paused', agents: [] });
  });

  it('decides nothing: every other act is refused and reaches nobody', async () => {
    const { open, acts, pairing } = await startPages();
    const page = open();
    const attempts = [
      { type: 'approval', id: uuid(1), digest: 'digest-1', decision: 'allow' },
      { type: 'approval', id: uuid(1), digest: 'digest-1', decision: 'deny' },
      { type: 'abort' },
      { type: 'pause', on: false },
      { type: 'revokeGrant', id: uuid(1) },
      { type: 'revokePairing', keyId: 'x' },
      { type: 'setPolicy', preset: 'standard' },
      { type: 'exclude', appId: 'com.example.app', on: false },
      { type: 'setRetention', retention: { maxAgeDays: 1, maxBytes: null } },
      { type: 'habits', request: uuid(9) },
      { type: 'applications', request: uuid(9) },
    ];
    for (const attempt of attempts) await page.says(attempt);
    expect(page.all('error').map(({ code }) => code)).toEqual(attempts.map(() => 'pairing_needed'));
    for (const act of [acts.answer, acts.stop, acts.pause, acts.revokeGrant, acts.setPolicy])
      expect(act).not.toHaveBeenCalled();
    expect(pairing.list()).toEqual([]);
  });

  it('[req:PN-4] may pause whoever’s it is, but in the person’s name only where it is theirs', async () => {
    const { open, acts } = await startPages();
    for (const upgrade of [{}, { client: null }, { isPersons: () => false }])
      await open(upgrade).says({ type: 'pause', on: true });
    expect(acts.stopAgents.mock.calls).toEqual(['page', 'unproven', 'unproven'].map((where) => ['unpaired', where]));
  });

  it('neither sends nor sees images', async () => {
    const { chat, open, openPaired } = await startPages();
    const asked = await ask(chat, 'a', 'c1', 'Show me');
    const page = open();
    await page.says({ type: 'ack', id: asked.ackId, message: 'here', images: PNG });
    expect(page.last('error')).toMatchObject({ code: 'pairing_needed', about: asked.ackId });
    const paired = await openPaired();
    await paired.says({ type: 'ack', id: asked.ackId, message: 'here', images: PNG });
    expect((await asked.reply).images).toEqual(PNG);
    expect(page.last('userMessage').images).toBeUndefined();
    expect(open().last('connected').history.at(-1)).not.toHaveProperty('images');
    expect(paired.last('userMessage').images).toEqual(PNG);
  });
});

it.each([
  ['the person’s own', {}],
  ['nobody’s for sure', { client: null }],
])('[req:PG-17] an unpaired page is told the command of this machine that pairs it: %s', async (_name, upgrade) => {
  const command = '/opt/node /opt/chaperone/index.js';
  const { open } = await startPages({ command });
  expect(open(upgrade).last('connected')).toMatchObject({ role: 'unpaired', command });
});

describe('an unpaired page whose process is not surely the person’s', () => {
  it.each([
    ['descended from an agent at upgrade', { isPersons: () => false }, false],
    ['that cannot be looked up', { isPersons: () => { throw new Error('no /proc'); } }, false], // prettier-ignore
    ['descends from an agent by now', {}, true],
    ['unknown', { client: null }, false],
    ['another user’s', { client: { ...browser, uid: UID + 1 } }, false],
  ])('cannot answer: %s', async (_name, upgrade, descends) => {
    const { chat, open, acts } = await startPages();
    const { ackId } = await ask(chat, 'a', 'c1', 'Which?');
    acts.descends.mockReturnValue(descends);
    const page = open(upgrade);
    await page.says({ type: 'ack', id: ackId, message: 'forged' });
    expect(page.last('error')).toMatchObject({ code: 'pairing_needed', about: ackId });
    expect(chat.pending()).toEqual([ackId]);
  });

  it('does not read the conversation either when it could be another user’s', async () => {
    const { chat, open } = await startPages();
    const { ackId } = await ask(chat, 'a', 'c1', 'Our secret?');
    for (const client of [null, { ...browser, uid: UID + 1 }]) {
      const page = open({ client });
      expect(page.last('connected')).toMatchObject({ history: [], pendingAckId: null, cursor: 0 });
      await page.says({ type: 'resume', cursor: 0 });
      await ask(chat, 'a', `c-${client?.uid}`, `Another secret? ${client?.uid}`);
      expect(JSON.stringify(page.got())).not.toContain('secret?');
    }
    expect(chat.pending()[0]).toBe(ackId);
  });
});

describe('a paired page', () => {
  it('answers cards with the digest it saw, under its own name', async () => {
    const { openPaired, acts } = await startPages();
    const page = await openPaired();
    const answer = { id: uuid(1), digest: 'digest-1', decision: 'allow', grant: 'time' };
    await page.says({ type: 'approval', ...answer });
    const from = { where: 'page', by: page.keyId, connection: expect.any(String), unseen: false, otherDisplay: false };
    expect(acts.answer).toHaveBeenCalledWith({ ...answer, ...from });
    acts.answer.mockReturnValue({ ok: false, code: 'stale', message: verbatim('The card changed.') });
    await page.says({ type: 'approval', ...answer });
    expect(page.last('error')).toEqual({
      type: 'error',
      code: 'stale',
      message: verbatim('The card changed.'),
      about: uuid(1),
    });
  });

  it('[req:DS-7-8] aborts, pauses, resumes, revokes and sets the policy', async () => {
    const { openPaired, acts } = await startPages();
    const page = await openPaired();
    const person = { where: 'page', by: page.keyId };
    await page.says({ type: 'abort' });
    await page.says({ type: 'abort', executionId: uuid(5) });
    await page.says({ type: 'pause', on: true });
    await page.says({ type: 'pause', on: false });
    await page.says({ type: 'revokeGrant', id: uuid(6) });
    await page.says({ type: 'setPolicy', preset: 'standard' });
    expect(acts.stop.mock.calls).toEqual([
      [expect.any(Stopped), undefined],
      [expect.any(Stopped), uuid(5)],
    ]);
    expect(acts.stopAgents).toHaveBeenCalledExactlyOnceWith(page.keyId, 'page');
    expect(acts.pause).toHaveBeenCalledExactlyOnceWith({ on: false, ...person });
    expect(acts.revokeGrant).toHaveBeenCalledWith(uuid(6));
    expect(acts.setPolicy).toHaveBeenCalledWith(presetPolicy('standard'), person);
    expect(page.all('error')).toEqual([]);
  });

  it('[req:DS-7-13] replies as paired', async () => {
    const { chat, openPaired } = await startPages();
    const asked = await ask(chat, 'a', 'c1', 'Which?');
    await (await openPaired()).says({ type: 'ack', id: asked.ackId, message: 'left' });
    expect((await asked.reply).paired).toBe(true);
  });

  it('cannot ask for a policy that runs everything', async () => {
    const { openPaired, acts } = await startPages();
    const page = await openPaired();
    await page.says({ type: 'setPolicy', preset: 'unattended' });
    expect(page.last('error').code).toBe('malformed');
    expect(acts.setPolicy).not.toHaveBeenCalled();
  });

  it('[req:DS-7-17] loses everything at the moment its key is revoked, by itself or from another page', async () => {
    const { open, openPaired, acts, pairing, pages } = await startPages();
    const first = await openPaired();
    const again = open();
    await again.signIn(first.key, first.keyId);
    const other = await openPaired();
    await other.says({ type: 'revokePairing', keyId: first.keyId });
    for (const page of [first, again]) {
      expect(page.last('error').code).toBe('unpaired');
      expect(page.closed()).not.toBeNull();
      await page.says({ type: 'approval', id: uuid(1), digest: 'digest-1', decision: 'allow' });
    }
    expect(acts.answer).not.toHaveBeenCalled();
    expect(other.last('pairings').pairings).toMatchObject([{ keyId: other.keyId, here: true }]);
    expect(pages.count()).toEqual({ paired: 1, unpaired: 0 });
    const back = open();
    await back.signIn(first.key, first.keyId);
    expect(back.last('error').code).toBe('not_paired');
    await other.says({ type: 'revokePairing', keyId: other.keyId });
    expect(pairing.list()).toEqual([]);
    expect(other.closed()).not.toBeNull();
  });

  it('hears that the host failed, without what failed', async () => {
    const { openPaired, acts } = await startPages();
    acts.answer.mockImplementation(() => {
      throw new Error('/home/p/.secret broke');
    });
    const page = await openPaired();
    await page.says({ type: 'approval', id: uuid(1), digest: 'digest-1', decision: 'allow' });
    expect(page.last('error').code).toBe('failed');
    expect(page.last('error').message).not.toContain('secret');
  });
});
