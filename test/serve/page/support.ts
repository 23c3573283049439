import { NO_TASKS } from '../../support/pipeline.js';
import { CLICK } from '../../support/titles.js';
import { onTestFinished, vi } from 'vitest';
import {
  toPageSchema,
  type Activity,
  type Doubt,
  type Card,
  type Grant,
  type Status,
  type ToPage,
} from '../../../src/main/protocol/index.js';
import { presetPolicy, type CardEvent, type Policy } from '../../../src/main/approvals/index.js';
import { createPages, type PagesOptions } from '../../../src/main/serve/page/index.js';
import type { PageSocket, Upgrade } from '../../../src/main/serve/page/page.js';
import type { ApprovalRequest, Decision } from '../../../src/main/approvals/request.js';
import type { PairingRecord } from '../../../src/main/evidence/index.js';
import { createPairing, type Pairing } from '../../../src/main/serve/pairing/index.js';
import { createPairingRequests } from '../../../src/main/serve/pairing/requests.js';
import type { ProcessIdentity } from '../../../src/native/peer/types.js';
import { agent, clock, openChat, silent, tempFile } from '../../chat/support.js';
import { createPageKey, type PageKey } from '../../host/support.js';

export const ORIGIN = 'http://localhost:4100';
export const HOST = 'localhost:4100';
export const UID = 1000;
export const at = '2026-01-01T00:00:00.000Z';
export const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

export const browser: ProcessIdentity = {
  pid: 50, startTime: '1', uid: UID, executable: '/usr/bin/firefox', script: null, cwd: '/', parentPid: 1,
}; // prettier-ignore

export function card(n: number): Card {
  return {
    id: uuid(n), digest: `digest-${n}`, executionId: uuid(1000 + n), agent: agent('a'), effect: 'input', tool: 'click',
    subject: { title: CLICK, target: 'Send', app: 'Mail', place: null }, arguments: {}, text: null,
    workspace: '/w', process: null, window: null, documentUrl: null, ancestors: [], notes: [], picture: null, grants: [],
    createdAt: at, expiresAt: at, orphaned: false,
  }; // prettier-ignore
}

export function activity(n: number): Activity {
  return {
    seq: n, executionId: uuid(n), at, agent: { id: 'a', name: 'A', tile: 'A' }, tool: 'click', effect: 'input',
    subject: card(n).subject, outcome: 'confirmed', verified: 'confirmed', note: null, evidenceDir: null, thumbnail: null,
  }; // prettier-ignore
}

/** A value others are told about; the fakes' one moving part. */
function source<T>() {
  const listeners = new Set<(value: T) => void>();
  return {
    tell: (value: T) => listeners.forEach((listener) => listener(value)),
    on: (listener: (value: T) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    size: () => listeners.size,
  };
}

interface FakePage {
  socket: PageSocket;
  /** Parsed and checked against the contract, oldest first. */
  got(): ToPage[];
  last<T extends ToPage['type']>(type: T): Extract<ToPage, { type: T }>;
  all<T extends ToPage['type']>(type: T): Extract<ToPage, { type: T }>[];
  /** As the browser sends it: anything at all. Returns when the host has done with it. */
  says(message: unknown): Promise<void>;
  hangUp(): void;
  closed(): string | null;
  limit(): number;
}

/** A page; a `stuck` one never takes what it is sent. */
export function fakePage({ stuck = false } = {}): FakePage {
  const texts: string[] = [];
  let listener: (message: unknown) => void = () => {};
  const onClose: (() => void)[] = [];
  let closed: string | null = null;
  let limit = 0;
  const got = () => texts.map((text) => toPageSchema.parse(JSON.parse(text)));
  const all = <T extends ToPage['type']>(type: T) =>
    got().filter((message): message is Extract<ToPage, { type: T }> => message.type === type);
  return {
    socket: {
      sendText(text) {
        if (closed !== null) return Promise.reject(new Error('closed'));
        texts.push(text);
        return stuck ? new Promise(() => {}) : Promise.resolve();
      },
      onMessage: (given) => (listener = given),
      onClose: (given) => void onClose.push(given),
      close(reason) {
        closed = reason;
        onClose.forEach((each) => each());
      },
      setLimit: (bytes) => (limit = bytes),
    },
    got,
    all,
    last(type) {
      const found = all(type).at(-1);
      if (!found)
        throw new Error(
          `no ${type} was sent, only ${got()
            .map((each) => each.type)
            .join(', ')}`,
        );
      return found;
    },
    async says(message) {
      listener(message);
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    },
    hangUp: () => onClose.forEach((each) => each()),
    closed: () => closed,
    limit: () => limit,
  };
}

/** Real requests for pages to be paired; nothing forbids a browser, and a test answers for the person. */
function createRequests(pairing: Pairing) {
  const recorded: PairingRecord[] = [];
  const asked: ApprovalRequest[] = [];
  let answer: (decision: Decision) => void = () => undefined;
  const fault: { of: Doubt | null } = { of: null };
  const requests = createPairingRequests({
    pairing,
    approvals: {
      askPerson: (request, onWaiting, signal) =>
        new Promise((resolve, reject) => {
          asked.push(request);
          answer = resolve;
          signal.addEventListener('abort', () => reject(signal.reason));
          onWaiting({ approvalId: request.executionId, expiresAt: at });
        }),
    },
    recorder: { recordPairing: async (line) => void recorded.push(line) },
    person: { redeemerDoubt: () => fault.of },
    popover: false,
    log: (thrown) => {
      throw thrown;
    },
  });
  return { requests, recorded, asked, fault, answer: (decision: Decision) => answer(decision) };
}

interface Opened extends FakePage {
  signIn(key: PageKey, keyId: string): Promise<void>;
}

export async function startPages(change: Partial<PagesOptions> = {}) {
  const time = clock();
  const chat = await openChat(undefined, time.now);
  const pairing = createPairing({ file: tempFile('pairings.json'), now: time.now, running: () => 0 });
  const ok = () => ({ ok: true }) as const;
  const news = {
    cards: source<CardEvent>(),
    grants: source<Grant[]>(),
    policy: source<Policy>(),
    activity: source<Activity>(),
    status: source<Status>(),
    health: source<null>(),
    names: source<void>(),
  };
  const acts = {
    pressBegan: vi.fn(), began: vi.fn(), answer: vi.fn<PagesOptions['approvals']['answer']>(ok), editTask: vi.fn(ok), moreTime: vi.fn(ok), endTask: vi.fn(() => true), revokeGrant: vi.fn(() => true), setPolicy: vi.fn(ok),
    pause: vi.fn(ok), forget: vi.fn(() => true), rename: vi.fn(() => null), stop: vi.fn(() => 1), halt: vi.fn(), takeOver: vi.fn(), stopAgents: vi.fn(), descends: vi.fn(() => false),
    show: vi.fn<PagesOptions['live']['show']>(), taken: vi.fn(), leave: vi.fn(),
    picture: vi.fn<PagesOptions['cardPicture']>(async () => ({ digest: 'd', picture: null })),
    check: vi.fn<PagesOptions['doctor']['check']>(() => Promise.resolve({ at, findings: [], record: null, places: [] })),
    apps: vi.fn<PagesOptions['desktop']['apps']>(async () => []),
    end: vi.fn<PagesOptions['keptCommands']['end']>(async () => []), outlive: vi.fn(() => true),
    openBrowser: vi.fn(),
    desk: vi.fn(() => true),
    startApp: vi.fn<PagesOptions['gabpApps']['start']>(async () => undefined), stopApp: vi.fn<PagesOptions['gabpApps']['stop']>(async () => undefined),
    acknowledge: vi.fn<PagesOptions['gabpApps']['acknowledge']>(async () => undefined), appLog: vi.fn<PagesOptions['gabpApps']['log']>(() => []),
  }; // prettier-ignore
  const state: { status: Status; cards: Card[] } = {
    status: {
      state: 'acting',
      paused: null,
      agents: [{ ...agent('secret-agent'), since: at, state: 'acting' }],
      recordVerified: true,
    },
    cards: [card(1)],
  };
  const asks = createRequests(pairing);
  const pages = createPages({
    chat,
    pairing,
    pairingRequests: asks.requests,
    approvals: {
      cards: () => state.cards, grants: () => [], policy: () => presetPolicy('standard'), pauseOfAgent: () => null, otherPausedAgents: () => [],
      answer: acts.answer, moreTime: acts.moreTime, pressBegan: acts.pressBegan, revokeGrant: acts.revokeGrant, setPolicy: acts.setPolicy, pause: acts.pause, forget: acts.forget,
      tasks: { ...NO_TASKS, edit: acts.editTask, end: acts.endTask },
      onCard: news.cards.on, onGrants: news.grants.on, onPolicy: news.policy.on,
    },
    viewers: { set: () => undefined },
    cardPicture: acts.picture,
    cover: { pressBegan: acts.began, disturbanceOf: async () => null },
    seenPresses: { pressBegan: () => undefined, wasSeen: async () => true },
    pressCheck: { inputFlushed: async () => undefined, isOnOtherDisplay: async () => false },
    recorder: {
      recent: (limit) => [activity(7)].slice(0, limit), onRecorded: news.activity.on,
      habits: async () => ({ days: 7, asked: 0, allowed: 0, denied: 0, unanswered: 0, medianMs: null, hasty: 0 }),
    },
    archive: {
      isWhole: () => true,
      page: () => Promise.reject(new Error('no record here')),
      thumbnails: async () => [],
      evidence: async () => null,
      file: async () => null,
      verify: async () => null,
    },
    status: { now: () => state.status, on: news.status.on },
    health: { now: () => null, on: news.health.on },
    executions: { stop: acts.stop, halt: acts.halt, takeOver: acts.takeOver },
    stopAgents: acts.stopAgents,
    ownDesktops: { live: () => null, take: acts.desk, input: acts.desk, handBack: acts.desk, end: acts.desk, keep: acts.desk, leave: () => undefined },
    live: { show: acts.show, taken: acts.taken, leave: acts.leave },
    doctor: { check: acts.check },
    keptCommands: { list: () => [], onChange: () => () => undefined, end: acts.end, outlive: acts.outlive },
    gabpApps: { list: () => [], onChange: () => () => undefined, start: acts.startApp, stop: acts.stopApp, acknowledge: acts.acknowledge, log: acts.appLog },
    desktop: { apps: acts.apps },
    openBrowser: acts.openBrowser,
    agents: { has: () => true, known: () => agent('secret-agent') },
    names: { list: () => [{ id: 'secret-agent', name: 'Secret name' }], onChange: news.names.on, rename: acts.rename },
    uid: UID,
    now: time.now,
    log: silent,
    ...change,
  }); // prettier-ignore
  onTestFinished(() => pages.close());

  function open(upgrade: Partial<Upgrade> = {}, page = fakePage()): Opened {
    pages.accept(page.socket, {
      origin: ORIGIN,
      host: HOST,
      client: browser,
      isPersons: () => !acts.descends(),
      ...upgrade,
    });
    return {
      ...page,
      async signIn(key, keyId) {
        const signature = await key.sign(ORIGIN, HOST, page.last('connected').nonce);
        await page.says({ type: 'authenticate', keyId, signature });
      },
    };
  }

  /** A page that was paired with a link. */
  async function openPaired(page = fakePage()) {
    const key = await createPageKey();
    const opened = open({}, page);
    await opened.says({ type: 'pair', code: pairing.issue('popover').code, publicKey: key.publicKey });
    return { ...opened, key, keyId: opened.last('paired').keyId };
  }

  return { chat, pairing, asks, pages, time, news, acts, state, open, openPaired };
}
