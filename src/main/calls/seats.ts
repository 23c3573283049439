/** Which desktop a call uses. Most agents share the one that the host shows; an agent may have asked for one of its own. */
import { isRecord } from '../../base/type-guards.js';
import type { AttentionBoard } from '../agents/attention.js';
import type { Caller } from '../approvals/request.js';
import type { DesktopReader } from '../../native/desktop.js';
import type { AnyAction } from '../pipeline/action.js';
import type { RunCall } from '../pipeline/dependencies.js';
import type { Runner } from '../pipeline/run.js';
import type { Tool } from '../tools/tool.js';

/** What runs the calls on one desktop. */
export interface CallSeat {
  /** It is of a desktop of the agent's own: results say so. */
  own?: true;
  runner: Pick<Runner, 'run'>;
  attention: Pick<AttentionBoard, 'assertClear'>;
  /** The tool of this name as it works here; undefined for those of connected applications, which are not of a desktop. */
  tool(name: string): Tool | undefined;
  desktop: Pick<DesktopReader, 'displays'>;
  /** Whether the person need not be asked before this caller reads what is open here. */
  mayReadTitles(caller: Caller): Promise<boolean>;
}

export interface Seats {
  /** null: the agent asked for a desktop of its own and has none yet. Never another desktop than the one the person gave it. */
  of(caller: Caller): CallSeat | null;
  /** For what such an agent calls meanwhile and that uses no desktop. */
  away: CallSeat;
  /** Asks the person for the desktop and opens it. */
  opening: { runner: Pick<Runner, 'run'>; action: AnyAction };
}

const WITHOUT_DESKTOP: ReadonlySet<string> = new Set(['chat', 'evidence', 'session']);

/** What is not known to do without one uses it. */
function usesDesktop({ group, action }: Tool, given: unknown): boolean {
  if (isRecord(given) && given['desktop'] === true) return true;
  if (action.offDesktop === true || WITHOUT_DESKTOP.has(group)) return false;
  return group !== 'macro' || (action.effect !== 'read' && action.effect !== 'bookkeeping');
}

/** Where this call runs. Rejects where the person gives the agent no desktop. `call`: of the tool, from which the request inherits its id and waiting. */
export async function seatFor(seats: Seats, tool: Tool, call: RunCall): Promise<CallSeat> {
  const seat = seats.of(call.caller);
  if (seat !== null) return seat;
  if (!usesDesktop(tool, call.input)) return seats.away;
  const { runner, action } = seats.opening;
  await runner.run(action, { ...call, input: {}, arguments: {} });
  const opened = seats.of(call.caller);
  if (opened === null) throw new Error('the desktop was closed as soon as it was opened');
  return opened;
}
