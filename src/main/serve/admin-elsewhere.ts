/** What `chaperone connect` tells of a host on another machine. Never from an agent, nor from what one has started or SSH forwards. */
import type { Elsewhere } from '../agents/elsewhere.js';
import { parseInput } from '../pipeline/define.js';
import type { Caller } from '../pipeline/ports.js';
import { elsewhereSchema, WireError } from '../protocol/index.js';
import type { LinkRefusal } from './pairing/link-permissions.js';
import { message } from '../../messages/index.js';

type AdminMethod = (caller: Caller, params: unknown) => unknown;

/** `doubt`: why the caller may not be the person's. */
export function elsewhereMethods(
  elsewhere: Elsewhere,
  doubt: (caller: Caller) => LinkRefusal | null,
): [string, AdminMethod][] {
  return [
    [
      'admin/elsewhere',
      (caller, params) => {
        const host = parseInput(elsewhereSchema, params, 'admin/elsewhere');
        const why = doubt(caller);
        if (why !== null && why !== 'no_terminal') throw refused(why);
        if (!elsewhere.tell(caller, host)) throw refused('unclear');
        return { told: true };
      },
    ],
  ];
}

const refused = (reason: LinkRefusal): WireError =>
  new WireError('DESKTOP_CONFIRM_REQUIRED', message('elsewhere.only_person'), { reason });
