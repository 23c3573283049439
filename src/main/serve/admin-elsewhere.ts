/**
 * What `chaperone connect` tells of a host on another machine, and the shim of an agent that uses one. Never from whoever SSH forwards, nor
 * from an approved command.
 */
import type { Elsewhere } from '../agents/elsewhere.js';
import { parseInput } from '../pipeline/define.js';
import type { Caller } from '../pipeline/ports.js';
import { elsewhereSchema, MAX_ELSEWHERE_BY, WireError, type ElsewhereHost } from '../protocol/index.js';
import type { LinkRefusal } from './pairing/link-permissions.js';
import { message } from '../../messages/index.js';

type AdminMethod = (caller: Caller, params: unknown) => unknown;

const toldSchema = elsewhereSchema.omit({ by: true });
/** Nothing in it that a shell would act on: a person may copy it. */
const CLAIMED_ADDRESS = /^(ssh|unix):\/\/[A-Za-z0-9_.@:/[\]~+-]{1,1000}$/;

/** `doubt`: why the caller may not be the person's. */
export function elsewhereMethods(
  elsewhere: Elsewhere,
  doubt: (caller: Caller) => LinkRefusal | null,
): [string, AdminMethod][] {
  return [
    [
      'admin/elsewhere',
      (caller, params) => {
        const host = parseInput(toldSchema, params, 'admin/elsewhere');
        const why = doubt(caller);
        const isClaim = caller.protocol === 'mcp';
        const refusal = isClaim ? claimRefusal(caller, host, why) : why === 'no_terminal' ? null : why;
        if (refusal !== null) throw refused(refusal);
        if (!elsewhere.tell(caller, isClaim ? { ...host, by: caller.agent.name.slice(0, MAX_ELSEWHERE_BY) } : host))
          throw refused('unclear');
        return { told: true };
      },
    ],
  ];
}

/** What an agent says is named as its own, and leads nowhere. */
function claimRefusal({ agent }: Caller, { url, address }: ElsewhereHost, why: LinkRefusal | null): LinkRefusal | null {
  if (agent.via !== undefined || url !== null || !CLAIMED_ADDRESS.test(address)) return 'agent';
  return why === 'host' || why === 'command' ? why : null;
}

const refused = (reason: LinkRefusal): WireError =>
  new WireError('DESKTOP_CONFIRM_REQUIRED', message('elsewhere.only_person'), { reason });
