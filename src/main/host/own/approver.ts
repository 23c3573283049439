/** What runs unasked on a desktop of an agent's own: acts in applications that it started there, and starting installed ones. */
import type { DesktopReader, App, DesktopBackend, Window } from '../../../native/desktop.js';
import { placeOf, type PlaceOptions } from '../../../native/peer/program-identity.js';
import type { Approver } from '../../approvals/index.js';
import { type Plan, windowsOf, type StepPlan } from '../../approvals/plan.js';
import type { ApprovalRequest } from '../../approvals/request.js';
import { shellQuote } from '../../tools/commands/command-line.js';
import { basename } from 'node:path';
import type { ProcessIdentity } from '../../../native/peer/types.js';
import { isListed, NEVER_ALWAYS } from '../../approvals/app-kinds.js';
import type { Effect } from '../../protocol/index.js';

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

type Process = Pick<App, 'pid' | 'startTime'>;
type Lineage = (pid: number) => readonly Pick<ProcessIdentity, 'pid' | 'startTime' | 'executable'>[];

/** Effects that need no request in such an application. */
const UNASKED: ReadonlySet<Effect> = new Set<Effect>(['read', 'bookkeeping', 'disclose', 'pointer', 'input']);

/**
 * Which applications an agent has started on a desktop of its own. Comes in: each start, and what the kernel says of processes. Goes
 * out: whether an act there is what the person gave the agent that desktop for. What is not clearly so must ask.
 */
export class StartedHere {
  readonly #started = new Set<string>();
  readonly #lineage: Lineage;
  /** As they were listed last. */
  #windows: readonly Window[] | null = null;

  constructor(lineage: Lineage) {
    this.#lineage = lineage;
  }

  /** The desktop, watched: what is started through it counts from now on. */
  watch(desktop: DesktopBackend): DesktopBackend {
    return {
      ...desktop,
      launch: async (application, options, signal) => {
        const ran = new Set((await desktop.windows(signal)).map(({ app }) => keyOf(app)));
        const launched = await desktop.launch(application, options, signal);
        // One that something else had started may have taken it over. What is started in a terminal is whatever was typed there.
        const isNew = launched.how === 'started' && !ran.has(keyOf(launched.app));
        if (isNew && isOrdinary(launched.app)) this.#started.add(keyOf(launched.app));
        return launched;
      },
      windows: async (signal) => (this.#windows = await desktop.windows(signal)),
    };
  }

  /** Whether the act reaches, and shows, nothing else than what was started here. */
  covers(plan: Plan, effect: Effect): boolean {
    if (!UNASKED.has(effect)) return false;
    if (plan.steps !== undefined) return plan.steps.every((step) => this.#coversStep(step));
    const windows = [...windowsOf(plan), ...(plan.drop === undefined ? [] : [plan.drop.window])];
    if (plan.target.kind === 'screen') return effect === 'disclose' && this.shows(plan);
    if (windows.length > 0) return windows.every((window) => window !== null && this.#isOwn(window));
    return effect === 'disclose' && this.shows(plan);
  }

  /** Whether all windows of this application are what was started here. As they were listed last. */
  hasOnly(appId: string): boolean {
    const ofIt = this.#windows?.filter(({ app }) => [app.id, ...(app.otherIds ?? [])].includes(appId));
    return ofIt?.every((one) => this.#isOwn(one)) === true;
  }

  /** Whether what this plan looks at is nothing else than what was started here. */
  shows({ window, target, application, site }: Plan): boolean {
    if (target.kind === 'screen') return this.#windows?.every((one) => this.#isOwn(one)) === true;
    if (window !== null) return this.#isOwn(window);
    if (target.kind === 'titles') return true;
    if (this.#windows === null) return false;
    const called = application?.id;
    const ofIt = this.#windows.filter(({ app }) => app.id === called);
    // A browser that is yet to be started there has nothing else to show than the page that it is started with.
    const isThere = ofIt.length > 0 || site !== undefined;
    return target.kind === 'reading' && isThere && ofIt.every((one) => this.#isOwn(one));
  }

  #coversStep({ plan, late, effect }: StepPlan): boolean {
    if (late !== null) return false;
    return plan === null ? effect === 'read' || effect === 'bookkeeping' : this.covers(plan, effect);
  }

  #isOwn(window: Window): boolean {
    return isOrdinary(window.app) && showsOnlyWeb(window) && this.#descends(window.app);
  }

  /** It was started here, or by something that was: but not through a terminal or a file manager, where it is whatever was typed there. */
  #descends(app: Process): boolean {
    if (this.#started.has(keyOf(app))) return true;
    const line = this.#lineage(app.pid);
    if (line[0]?.startTime !== app.startTime) return false;
    const from = line.findIndex((one) => this.#started.has(keyOf(one)));
    return from > 0 && line.slice(0, from + 1).every(({ executable }) => isOrdinaryName(basename(executable)));
  }
}

const keyOf = ({ pid, startTime }: Process): string => `${pid}:${startTime}`;

/** No terminal, file manager, editor for code, launcher, password manager or settings: what is done there is not known by where it is done. */
const isOrdinary = ({ id, name, otherIds = [] }: Pick<App, 'id' | 'name' | 'otherIds'>): boolean =>
  isOrdinaryName(id, name, ...otherIds);

const isOrdinaryName = (...names: string[]): boolean =>
  [...NEVER_ALWAYS.values()].every((table) => !isListed(table, ...names));

const WEB = /^(?:https?:|about:blank$|chrome:\/\/(?:newtab|new-tab-page)\/?$)/;

/** A browser can open any file and its own settings; where it does, or does not say, the person is asked. */
function showsOnlyWeb({ documentUrl, documents }: Pick<Window, 'documentUrl' | 'documents'>): boolean {
  if (documents?.complete === false) return false;
  return [documentUrl, ...(documents?.urls ?? [])].every((url) => url === null || WEB.test(url));
}
