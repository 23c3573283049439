import { describe, expect, it, vi } from 'vitest';
import { presetPolicy } from '../../../src/main/approvals/index.js';
import { fromPageSchema } from '../../../src/main/protocol/index.js';
import type { ClientSetup, DemoRunner } from '../../../src/main/serve/page/programs.js';
import type { MessageOf, MessageType } from '../../../src/main/serve/page/definition.js';
import type { PagesOptions } from '../../../src/main/serve/page/index.js';
import { PAGE_MESSAGES } from '../../../src/main/serve/page/table.js';
import { browser, startPages, UID, uuid } from './support.js';

const request = uuid(60);
const id = uuid(1);

/** One of each, as a page may send it. */
const MESSAGES: { [T in MessageType]: MessageOf[T] } = {
  abort: { type: 'abort' },
  acknowledgeApp: { type: 'acknowledgeApp', name: 'game', attentionId: 'a-1' },
  ack: { type: 'ack', id, message: 'See', images: [{ mimeType: 'image/png', base64: 'AAAA' }] },
  activityPage: { type: 'activityPage', request, before: null, filter: {} },
  appLog: { type: 'appLog', request, name: 'game' },
  applications: { type: 'applications', request },
  approval: { type: 'approval', id, digest: 'digest-1', decision: 'allow' },
  authenticate: { type: 'authenticate', keyId: 'k', signature: 's' },
  cardPicture: { type: 'cardPicture', request, id },
  check: { type: 'check', request, record: true },
  clients: { type: 'clients', request },
  desktopInput: { type: 'desktopInput', id, input: { kind: 'text', text: 'x' } },
  dismissPairings: { type: 'dismissPairings', keyIds: ['k'] },
  earlier: { type: 'earlier', request, before: 5 },
  renameAgent: { type: 'renameAgent', request, id: 'a', name: 'Shop' },
  write: { type: 'write', request, id: 'a', text: 'hello' },
  editTask: {
    type: 'editTask',
    id,
    digest: 'digest-1',
    task: { apps: ['a'], sites: [], effects: ['see'], minutes: 1, acts: 1 },
  },
  endCommand: { type: 'endCommand', id },
  endDesktop: { type: 'endDesktop', id },
  endTask: { type: 'endTask', id },
  evidence: { type: 'evidence', request, executionId: id },
  evidenceFile: { type: 'evidenceFile', request, executionId: id, name: 'result.json', offset: 0 },
  exclude: { type: 'exclude', appId: 'a', on: true },
  forgetAgent: { type: 'forgetAgent', id: 'a' },
  frameTaken: { type: 'frameTaken', seq: 1 },
  habits: { type: 'habits', request },
  handBack: { type: 'handBack', id, message: '' },
  keepDesktop: { type: 'keepDesktop', id, on: true },
  live: { type: 'live', on: true },
  moreTime: { type: 'moreTime', id },
  openBrowser: { type: 'openBrowser' },
  openPermission: { type: 'openPermission', pane: 'accessibility' },
  openPopover: { type: 'openPopover' },
  outliveCommand: { type: 'outliveCommand', id, on: true },
  pair: { type: 'pair', code: 'c', publicKey: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' } },
  pause: { type: 'pause', on: false },
  pauseAgent: { type: 'pauseAgent', id: 'a', on: false },
  press: { type: 'press', id, digest: 'digest-1' },
  takeDesktop: { type: 'takeDesktop', id },
  relaunch: { type: 'relaunch' },
  resume: { type: 'resume', cursor: 0 },
  revokeGrant: { type: 'revokeGrant', id },
  revokePairing: { type: 'revokePairing', keyId: 'k' },
  runDemo: { type: 'runDemo', request, language: 'en' },
  setPolicy: { type: 'setPolicy', preset: 'strict' },
  setOwnDesktops: { type: 'setOwnDesktops', count: 3 },
  setRetention: { type: 'setRetention', retention: { maxAgeDays: 1, maxBytes: null } },
  setUp: { type: 'setUp', request, client: 'codex', remove: false },
  startApp: { type: 'startApp', name: 'game' },
  stopApp: { type: 'stopApp', name: 'game' },
  takeOver: { type: 'takeOver' },
  taskApps: { type: 'taskApps', request, id },
  thumbnails: { type: 'thumbnails', request, executionIds: [id] },
  verifyEvidence: { type: 'verifyEvidence', request, executionId: id },
  visibility: { type: 'visibility', visible: true },
};

const OPEN_TO_ALL: readonly string[] = ['authenticate', 'pair', 'resume', 'visibility'];
const NEEDS_PAIRING = Object.values(MESSAGES).filter(({ type }) => type !== 'earlier' && !OPEN_TO_ALL.includes(type));
/** What waits before it is done or answered. */
const WAITING = [
  'acknowledgeApp', 'activityPage', 'applications', 'approval', 'cardPicture', 'check', 'clients', 'editTask', 'endCommand', 'evidence', 'evidenceFile', 'runDemo', 'setUp', 'startApp', 'stopApp', 'taskApps', 'thumbnails', 'verifyEvidence',
]; // prettier-ignore

/** Pages whose dependencies are all watched; what is asynchronous waits until the gate opens. */
async function startWatched() {
  let openGate: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (openGate = resolve));
  const waits = vi.fn();
  const later = <T>(value: T) =>
    vi.fn(async () => {
      waits();
      await opened;
      return value;
    });
  const archive = {
    page: later({ rows: [], next: null, total: 0, damaged: 0, agents: [] }),
    thumbnails: later([]),
    evidence: later(null),
    file: later(null),
    isWhole: vi.fn(() => true),
    verify: later(null),
  };
  const pressCheck = { inputFlushed: later(undefined), isOnOtherDisplay: vi.fn(async () => false) };
  const cover = { pressBegan: vi.fn(), disturbanceOf: vi.fn(async () => null) };
  const clients = {
    ownDesktops: vi.fn(() => true),
    list: later([]),
    setUp: later<Awaited<ReturnType<ClientSetup['setUp']>>>({ outcome: 'added', files: [], ownLimit: false }),
  };
  const demo = { run: later<Awaited<ReturnType<DemoRunner['run']>>>({ outcome: 'finished', why: null }) };
  const shell = { showPopover: vi.fn(), openPermission: vi.fn(() => true), relaunch: vi.fn(() => true) };
  const chat = { answer: vi.fn<PagesOptions['chat']['answer']>(() => ({ ok: true, seq: 1 })), write: vi.fn<PagesOptions['chat']['write']>(() => ({ ok: true, seq: 1 })), events: () => [], floor: () => 0, earlier: async () => ({ events: [], since: 0 }), pending: () => [], cursor: () => 0, on: () => () => undefined }; // prettier-ignore
  const started = await startPages({ archive, pressCheck, cover, clients, demo, menubarApp: shell, chat });
  const { acts } = started;
  acts.picture.mockImplementation(later({ digest: 'd', picture: null }));
  acts.apps.mockImplementation(later([]));
  acts.check.mockImplementation(later({ at: '2026-01-01T00:00:00.000Z', findings: [], record: null, places: [] }));
  acts.end.mockImplementation(later([]));
  for (const act of [acts.startApp, acts.stopApp, acts.acknowledge]) act.mockImplementation(later(undefined));
  const spies = [archive, pressCheck, cover, clients, demo, shell, acts].flatMap((one) => Object.values(one));
  return {
    ...started,
    openGate,
    waits,
    calls: () =>
      [...spies, chat.answer, chat.write]
        .filter((one) => one !== acts.leave && one !== acts.descends && one !== archive.isWhole)
        .flatMap((one) => one.mock.calls),
  };
}

describe('[req:DS-7-11] the table of page messages', () => {
  it('has a row for every message of the protocol; what needs no pairing is named here', () => {
    const types = fromPageSchema.options.map(({ shape }) => shape.type.value).sort();
    expect(Object.keys(PAGE_MESSAGES).sort()).toEqual(types);
    const roles = Object.entries(PAGE_MESSAGES).filter(([, { role }]) => role !== 'paired').map(([type, { role }]) => [type, typeof role === 'function' ? 'by its content' : role]); // prettier-ignore
    expect(Object.fromEntries(roles)).toEqual({
      ack: 'by its content', authenticate: 'any', earlier: 'chat', pair: 'any', pause: 'by its content', pauseAgent: 'by its content', resume: 'any', visibility: 'any',
    }); // prettier-ignore
  });

  it.each([
    ['the person’s own', {}],
    ['nobody’s for sure', { client: null }],
    ['another user’s', { client: { ...browser, uid: UID + 1 } }],
  ])('refuses each to an unpaired page, and nothing is called: %s', async (_name, upgrade) => {
    const { open, calls } = await startWatched();
    for (const message of NEEDS_PAIRING) {
      const page = open(upgrade);
      await page.says(message);
      const about = 'request' in message ? request : 'id' in message ? message.id : undefined;
      expect([message.type, page.all('error')]).toEqual([message.type, [expect.objectContaining({ code: 'pairing_needed', ...(about && { about }) })]]); // prettier-ignore
    }
    expect(calls()).toEqual([]);
  });
});

describe('[req:DS-7-17] a page that is unpaired while its message waits', () => {
  it('gets nothing done and nothing answered, whatever the message', async () => {
    const waiting: string[] = [];
    for (const message of Object.values(MESSAGES)) {
      const { openGate, openPaired, pairing, waits, calls } = await startWatched();
      const page = await openPaired();
      await page.says(message);
      if (waits.mock.calls.length > 0) waiting.push(message.type);
      pairing.revoke(page.keyId);
      const before = { calls: calls(), got: page.got() };
      openGate();
      await page.says(message);
      expect({ calls: calls(), got: page.got() }, message.type).toEqual(before);
    }
    expect(waiting.sort()).toEqual(WAITING);
  });

  it('allows nothing where it is unpaired during the last wait', async () => {
    let end: (other: boolean) => void = () => undefined;
    const isOnOtherDisplay = vi.fn(() => new Promise<boolean>((resolve) => (end = resolve)));
    const pressCheck = { inputFlushed: async () => undefined, isOnOtherDisplay };
    const { acts, openPaired, pairing } = await startPages({ pressCheck });
    const page = await openPaired();
    await page.says(MESSAGES.approval);
    expect(isOnOtherDisplay).toHaveBeenCalledOnce();
    pairing.revoke(page.keyId);
    end(false);
    await page.says(MESSAGES.visibility);
    expect(acts.answer).not.toHaveBeenCalled();
  });

  it('is refused where it is paired with another key by then', async () => {
    const { openGate, openPaired, acts } = await startWatched();
    const other = await openPaired();
    const page = await openPaired();
    await page.says(MESSAGES.approval);
    await page.says(MESSAGES.check);
    await page.signIn(other.key, other.keyId);
    openGate();
    await page.says(MESSAGES.habits);
    const refused = { type: 'error', code: 'pairing_needed', message: expect.any(Object) };
    expect(page.all('error')).toHaveLength(2);
    expect(page.all('error')).toEqual(expect.arrayContaining([id, request].map((about) => ({ ...refused, about }))));
    expect(acts.answer).not.toHaveBeenCalled();
    expect(page.all('check')).toEqual([]);
    expect(page.all('habits')).toHaveLength(1);
  });

  it('is done and answered where the page keeps its pairing', async () => {
    const { openGate, openPaired, acts } = await startWatched();
    const page = await openPaired();
    await page.says(MESSAGES.approval);
    await page.says(MESSAGES.setUp);
    openGate();
    await page.says(MESSAGES.setPolicy);
    expect(acts.answer).toHaveBeenCalledOnce();
    expect(acts.setPolicy).toHaveBeenCalledExactlyOnceWith(presetPolicy('strict'), { where: 'page', by: page.keyId });
    expect(page.last('setUp')).toMatchObject({ request, outcome: 'added' });
    expect(page.all('error')).toEqual([]);
  });
});
