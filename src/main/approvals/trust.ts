/**
 * Whether what the kernel says of a caller is enough for something that was given earlier. Comes in: callers and requests. Goes
 * out: what a grant is bound to, or why there can be none. Asked again for each use.
 */
import { basename } from 'node:path';
import { isAlone, type PeerTrust } from '../../native/peer/index.js';
import type { Identified, Role, Untold } from '../../native/peer/program-identity.js';
import { message, type Message } from '../../messages/index.js';
import type { Caller } from './request.js';
import type { Grant } from '../protocol/index.js';
import type { RequestFacts } from './request-facts.js';

export type Programs = NonNullable<Grant['programs']>;
type Parties = Pick<RequestFacts, 'agent' | 'app'>;

export interface Trust {
  /** To be awaited before a call and its decision: what is not known yet is in doubt. null: what is known holds. */
  look(caller: Caller): Promise<void> | null;
  /** Why nothing that was given may be used over this connection; null: it may. */
  doubtOf(caller: Caller): Message | null;
  /** What an “always” is bound to, or why it cannot be bound. */
  programsOf(parties: Parties): Programs | { why: Message };
  runsSame(programs: Programs | undefined, parties: Parties): boolean;
}

/** Where nothing can be asked, as on a desktop that is only simulated in memory, paths have to do. */
const PATHS_ONLY: Trust = {
  look: () => null,
  doubtOf: () => null,
  programsOf: () => ({ agent: '', app: null }),
  runsSame: () => true,
};

/** A code that is missing here is no risk: the card changes with that note, as with any other. */
const DOUBTS: ReadonlySet<string> = new Set(['grant.early', 'grant.other_shim', 'grant.shared']);

/** Whether a note of a card is an answer of `doubtOf`. */
export const isDoubt = ({ code }: Message): boolean => DOUBTS.has(code);

export function createTrust(peers: PeerTrust | undefined): Trust {
  if (peers === undefined) return PATHS_ONLY;
  const { identities, holders, isOwnShim } = peers;
  const is = (process: Parameters<typeof identities.isSame>[0], role: Role, identity: string): boolean =>
    identities.isSame(process, role, identity);

  return {
    look: ({ peer: { pid, socket } }) => (typeof socket === 'string' ? (holders?.look(socket, pid) ?? null) : null),
    doubtOf({ agent, asking, peer, early }) {
      const { pid, socket } = peer;
      if (early === true) return message('grant.early', { agent: agent.name });
      const speaksForOther = asking !== undefined && asking !== peer && agent.via === undefined;
      if (speaksForOther && !isOwnShim(peer))
        return message('grant.other_shim', { program: peer.script ?? peer.executable, agent: agent.name });
      if (holders === undefined || socket === undefined) return null;
      if (socket === null) return message('grant.shared', { holder: 'other', pid: 0 });
      const held = holders.of(socket, pid);
      const other = held?.pids.find((one) => one !== pid);
      if (other !== undefined) return message('grant.shared', { holder: 'process', pid: other });
      return isAlone(held, pid) ? null : message('grant.shared', { holder: 'other', pid: 0 });
    },
    programsOf({ agent, app }) {
      const own = identities.of(agent, 'agent');
      if ('untold' in own) return { why: whyOf(own.untold, agent.name) };
      if (app?.process === undefined) return { agent: own.identity, app: null };
      const target: Identified = identities.of(app.process, 'application');
      if ('untold' in target) return { why: whyOf(target.untold, app.name) };
      return { agent: own.identity, app: target.identity };
    },
    runsSame(programs, { agent, app }) {
      if (programs === undefined || !is(agent, 'agent', programs.agent)) return false;
      if (programs.app === null || app?.process === undefined)
        return programs.app === null && app?.process === undefined;
      return is(app.process, 'application', programs.app);
    },
  };
}

function whyOf({ reason, program, what }: Untold, name: string): Message {
  const other = reason === 'unknown' ? 'other' : reason;
  return message('grant.untold', { reason: other, program: program === '' ? name : basename(program), what });
}
