/** What runs unasked on a desktop of an agent's own: acts in applications that it started there, and starting installed ones. */
import type { DesktopReader } from '../../../native/desktop.js';
import { placeOf, type PlaceOptions } from '../../../native/peer/program-identity.js';
import type { Approver } from '../../approvals/index.js';
import type { Plan } from '../../approvals/plan.js';
import type { ApprovalRequest } from '../../approvals/request.js';
import { shellQuote } from '../../tools/commands/command-line.js';
import { isOrdinary, type StartedHere } from './started.js';

interface OwnParts {
  started: StartedHere;
  desktop: Pick<DesktopReader, 'findApplication' | 'windows'>;
  places: PlaceOptions;
}

/** Marks such requests; policy, pauses and who speaks are checked with them as with a grant. */
export function forOwnDesktop(approver: Approver, parts: OwnParts): Approver {
  const { started } = parts;
  return {
    ...approver,
    sight: (caller, shown) => approver.sight(caller, shown, started.shows(shown)),
    async decide(request, onWaiting, signal) {
      const own = !request.alwaysAsk && (await isCovered(parts, request, AbortSignal.timeout(CHECK_MS)));
      return approver.decide(own ? { ...request, own: true } : request, onWaiting, signal);
    },
  };
}

const CHECK_MS = 5_000;

async function isCovered({ started, desktop, places }: OwnParts, request: ApprovalRequest, signal: AbortSignal) {
  const { plan, action } = request;
  if (plan === null) return false;
  if (action.name === OPEN) return action.effect === 'input' && opensInstalled({ desktop, places }, request, signal);
  if (plan.site !== undefined)
    return action.effect === 'input' && opensPage({ started, desktop, places }, plan, signal);
  // Windows may have come since the plan was made.
  if (plan.target.kind === 'screen') await desktop.windows(signal);
  return started.covers(plan, action.effect);
}

const OPEN = 'open_application';

/** An application that the administrator installed, of a kind that may run unasked, and exactly the command of the plan. */
async function opensInstalled(
  { desktop, places }: Pick<OwnParts, 'desktop' | 'places'>,
  { plan, arguments: given }: ApprovalRequest,
  signal: AbortSignal,
): Promise<boolean> {
  const name = nameIn(given);
  const files = plan?.files ?? [];
  if (name === null || files.length === 0) return false;
  const found = await desktop.findApplication(name, signal).catch(() => null);
  if (found?.entry === undefined || !found.installed || !isOrdinary(found)) return false;
  const isPlanned = found.command.map(shellQuote).join(' ') === plan?.text;
  // Its entry too: an agent's own home folder could have one that runs anything.
  return (
    isPlanned && [found.entry, ...files.map(({ path }) => path)].every((path) => placeOf(path, places) === 'system')
  );
}

/** A page, in a browser that the administrator installed, where none runs that something else has started: it could have a profile of the person, and would take the address. */
async function opensPage({ started, desktop, places }: OwnParts, plan: Plan, signal: AbortSignal): Promise<boolean> {
  const { opens, files = [] } = plan;
  if (opens === undefined || files.length === 0 || !isOrdinary(opens)) return false;
  const found = await desktop.findApplication(opens.id, signal).catch(() => null);
  if (found?.entry === undefined || !found.installed || !files.some(({ path }) => path === found.entry)) return false;
  if (!files.every(({ path }) => placeOf(path, places) === 'system')) return false;
  await desktop.windows(signal);
  return started.hasOnly(found.id);
}

function nameIn(given: unknown): string | null {
  if (typeof given !== 'object' || given === null) return null;
  const { application_id: name, id } = given as { application_id?: unknown; id?: unknown };
  const asked = name ?? id;
  return typeof asked === 'string' ? asked : null;
}
