/**
 * What happens when a page redeems a pairing link: who may, who has to be asked first, and what is recorded. Comes in: a page's
 * code and key. Goes out: the id of a paired key, or {@link PairingRefused}.
 */
import { title, subjectWithoutPlace } from '../../protocol/index.js';
import { randomUUID } from 'node:crypto';
import type { ProcessIdentity } from '../../../native/peer/types.js';
import type { ApprovalRequest, Caller, Decision } from '../../approvals/request.js';
import type { Approvals } from '../../approvals/index.js';
import type { EvidenceRecorder, PairingRecord } from '../../evidence/index.js';
import type { PersonProof } from '../../agents/person.js';
import { displayName, processAgent, unknownPeer } from '../../agents/caller.js';
import type { Pairing, Offer } from './index.js';
import { PairingRefused } from './link-codes.js';
import { message, type Message } from '../../../messages/index.js';

/** The name of the request on cards and in notifications. */
const PAIR_TOOL = 'pair_page';

export interface Redemption {
  code: string;
  publicKey: unknown;
  /** The process at the other end of the page's socket; null where the kernel does not tell. */
  client: ProcessIdentity | null;
}

export interface Waiting {
  where: 'page' | 'popover';
  expiresAt: string;
}

export type PairingRequests = ReturnType<typeof createPairingRequests>;

export interface PairingRequestsOptions {
  pairing: Pairing;
  approvals: Pick<Approvals, 'askPerson'>;
  recorder: Pick<EvidenceRecorder, 'recordPairing'>;
  person: Pick<PersonProof, 'redeemerDoubt'>;
  /** There is a popover. */
  popover: boolean;
  log(thrown: unknown): void;
}

export function createPairingRequests(options: PairingRequestsOptions) {
  const { pairing, approvals, recorder, person, popover, log } = options;

  const confirmedIn = () => (pairing.list().length === 0 ? null : popover ? 'popover' : 'page');

  /** An unknown client may be one that would be refused, so it needs a confirmation where someone can give it. */
  function confirmPlace({ link }: Offer, client: ProcessIdentity | null): Waiting['where'] | null {
    if (link.by === 'cli') return confirmedIn();
    return client === null ? (popover ? 'popover' : confirmedIn()) : null;
  }

  async function record(line: PairingRecord): Promise<void> {
    try {
      await recorder.recordPairing(line);
    } catch (thrown) {
      log(thrown);
      throw new PairingRefused('not_saved', message('pairing.not_saved'));
    }
  }

  async function confirm(
    offer: Offer,
    client: ProcessIdentity | null,
    onWaiting: (expiresAt: string) => void,
    signal: AbortSignal,
  ): Promise<Decision> {
    // From here on nobody else can redeem it, whatever is answered.
    offer.spend();
    await record({ ...lineOf(offer, client), event: 'asked' });
    const request = requestFor(offer, client);
    return approvals.askPerson(request, ({ expiresAt }) => onWaiting(expiresAt), signal);
  }

  return {
    /** A link of `chaperone pair`, and where the page that opens it has to be confirmed as things are; null: nowhere. */
    linkFor: (
      askedBy: readonly ProcessIdentity[],
      url: string,
    ): { link: string; confirm: Waiting['where'] | null } => ({
      link: `${url}/#pair=${pairing.issue('cli', askedBy).code}`,
      confirm: confirmedIn(),
    }),
    /** Resolves once the key is paired. Aborted when the page goes. Rejects with {@link PairingRefused}. */
    async redeem(
      { code, publicKey, client }: Redemption,
      onWaiting: (waiting: Waiting) => void,
      signal: AbortSignal,
    ): Promise<string> {
      const offer = pairing.offer(code, publicKey, client === null ? '' : `${client.pid}:${client.startTime}`);
      const line = lineOf(offer, client);
      const fault = client === null ? null : person.redeemerDoubt(client, offer.link.by !== 'cli');
      if (fault !== null) {
        await record({ ...line, event: 'refused', note: fault });
        throw NOT_HERE;
      }
      const where = confirmPlace(offer, client);
      const decision =
        where === null ? null : await confirm(offer, client, (expiresAt) => onWaiting({ where, expiresAt }), signal);
      if (decision !== null && decision.kind !== 'allowed') {
        await record({ ...line, event: 'refused', decision: decisionPlace(decision), note: decision.reason });
        throw refusalFor(decision);
      }
      signal.throwIfAborted();
      await record({ ...line, event: 'paired', decision: decision && decisionPlace(decision) });
      signal.throwIfAborted();
      offer.accept(client === null ? null : displayName(client));
      return offer.keyId;
    },
    /** Revokes all pairings, and says so in the record first. Rejects with {@link PairingRefused}. */
    async reset(): Promise<void> {
      const note = `${pairing.list().length} revoked`;
      await record({ event: 'reset', keyId: null, link: null, askedBy: null, browser: null, decision: null, note });
      pairing.reset();
    },
    revoke(keyId: string, { where, by }: { where: string; by: string }): boolean {
      const revoked = pairing.revoke(keyId);
      const line = { event: 'revoked', keyId, link: null, askedBy: null, browser: null, note: null } as const;
      if (revoked) record({ ...line, decision: { where, who: by } }).catch(() => undefined);
      return revoked;
    },
  };
}

const NOT_HERE = new PairingRefused('pairing_not_here', message('pairing.not_here'));

function refusalFor({ reason }: Extract<Decision, { kind: 'denied' }>): PairingRefused {
  if (reason === 'timeout') return new PairingRefused('pairing_expired', message('pairing.expired'));
  return new PairingRefused('pairing_denied', message('pairing.denied'));
}

const decisionPlace = (decision: Decision) => ({
  where: decision.kind === 'allowed' ? decision.where : decision.by,
  who: decision.who ?? null,
});

function peerOf({ pid, startTime, uid, executable, script }: ProcessIdentity) {
  return { pid, startTime, uid, executable, script };
}

function lineOf({ link, keyId }: Offer, client: ProcessIdentity | null): Omit<PairingRecord, 'event'> {
  const [asker] = link.askedBy;
  return {
    keyId,
    link: link.by,
    askedBy: asker === undefined ? null : peerOf(asker),
    browser: client === null ? null : peerOf(client),
    decision: null,
    note: null,
  };
}

/** The card names who asked for the link, and the program that redeems it. Each is a request of its own, so that none waits behind another. */
function requestFor(offer: Offer, client: ProcessIdentity | null): ApprovalRequest {
  const executionId = randomUUID();
  const [asker = unknownPeer(executionId), ...above] = offer.link.askedBy;
  const caller: Caller = {
    agent: { ...processAgent(asker), id: `pairing:${executionId}` },
    peer: asker,
    connectionId: executionId,
    protocol: 'gabp',
  };
  const browser = client === null ? null : displayName(client);
  return {
    executionId,
    callKey: executionId,
    caller,
    action: { name: PAIR_TOOL, title: 'Pair a page', effect: 'dangerous' },
    arguments: {
      asked_for_by: [asker, ...above].map(shown),
      redeemed_by: client === null ? null : shown(client),
    },
    subject: { ...subjectWithoutPlace(title('title.pair_page')), app: browser },
    plan: null,
    picture: null,
    workspace: '',
    alwaysAsk: true,
    notes: notesFor(offer.link.askedBy[0] ?? null, client),
  };
}

function notesFor(asker: ProcessIdentity | null, client: ProcessIdentity | null): Message[] {
  const by =
    asker === null
      ? []
      : [message('note.link_asked_by', { program: asker.executable, pid: asker.pid, folder: asker.cwd ?? '?' })];
  return [
    message('note.paired_page_can'),
    ...by,
    client === null
      ? message('note.opener_unknown')
      : message('note.opened_by', { program: client.executable, pid: client.pid }),
  ];
}

function shown({ pid, executable, script, cwd }: ProcessIdentity) {
  return { pid, program: executable, ...(script === null ? {} : { script }), folder: cwd };
}
