/** Whether an agent may see what a call looks at, at this moment: by policy, by what the person allowed for the session, or by a grant. */
import { subjectWithoutPlace, title } from '../protocol/index.js';
import type { App, Window } from '../../native/desktop.js';
import { aboutText } from './audience.js';
import { hiddenError } from './mask-rules.js';
import { withReadRule, type HidingReader, type MaskedReader } from './masked.js';
import { planWithoutTarget, windowsOf, type Plan } from '../approvals/plan.js';
import type { Approver } from '../approvals/index.js';
import type { Caller, Decision, Sight } from '../approvals/request.js';
import type { Message } from '../../messages/index.js';

type Named = Pick<App, 'id' | 'name' | 'program'>;

const seeing = planWithoutTarget(subjectWithoutPlace(title('title.look_at_screen')));
/** Which applications and windows are open. */
export const TITLES: Plan = { ...seeing, target: { kind: 'titles' } };
export const SCREEN: Plan = { ...seeing, target: { kind: 'screen', rect: { x: 0, y: 0, width: 0, height: 0 } } };

/** What would be seen: one application, through `window` where one is known. */
export const sightOfApp = (app: Named, window: Window | null): Plan => ({
  ...seeing,
  subject: { ...seeing.subject, app: app.name },
  target: { kind: 'reading', name: app.name },
  window,
  application: app,
});

const ORDER: readonly Sight[] = ['sees', 'asks', 'never'];

/** The worst of what may be seen of each. */
export const sightOf = (approver: Pick<Approver, 'sight'>, caller: Caller, shown: readonly Plan[]): Sight =>
  ORDER[Math.max(0, ...shown.map((plan) => ORDER.indexOf(approver.sight(caller, plan))))] ?? 'never';

/** What an act on this plan shows to whoever learns how it went. */
export function shownBy(plan: Plan): Plan[] {
  const plans = [plan, ...(plan.steps ?? []).flatMap((step) => (step.plan === null ? [] : [step.plan]))];
  const windows = [...windowsOf(plan), ...plans.flatMap(({ drop }) => drop?.window ?? [])];
  const late = (plan.steps ?? []).flatMap((step) => step.late?.app ?? []);
  const apps = plans.flatMap(({ window, application, site, opens }) =>
    window === null && application !== undefined ? [{ application, site, opens }] : [],
  );
  return [
    ...windows.map((window) => sightOfApp(window.app, window)),
    ...late.map((app) => sightOfApp(app, null)),
    ...apps.map(({ application, site, opens }) => ({
      ...sightOfApp(application, null),
      ...(site === undefined || opens === undefined ? {} : { site, opens }),
    })),
    ...(plans.some(({ target }) => target.kind === 'titles') ? [TITLES] : []),
    ...(plans.some(({ target }) => target.kind === 'screen') ? [SCREEN] : []),
  ];
}

/** Whether the person was told on the request that whoever acts there sees it too, and allowed that. */
export const toldOnRequest = (plan: Plan | null, decision: Decision): boolean =>
  plan?.sees === true && decision.kind === 'allowed' && (decision.by === 'person' || decision.by === 'token');

/** Notes what a plan has looked at: an error thrown before anything was read says nothing of the desktop. */
export class Witness {
  looked = false;
  readonly #apps = new Map<number, { app: App; window: Window | null }>();
  /** Processes whose elements were read. */
  readonly #read = new Set<number>();
  readonly #sees: (shown: Plan) => boolean;

  constructor(sees: (shown: Plan) => boolean) {
    this.#sees = sees;
  }

  /** The desktop, watched. */
  watch(desktop: HidingReader): HidingReader {
    const noted = withReadRule(desktop, ['machine', 'pointer', 'installed'], (read) => (...given) => {
      this.looked = true;
      return read(...given);
    });
    const element =
      <A extends unknown[], R extends { pid: number } | null>(read: (...args: A) => Promise<R>) =>
      async (...args: A) => {
        const found = await read(...args);
        if (found !== null) this.#read.add(found.pid);
        return found;
      };
    const scoped =
      <A extends [{ pid: number }, ...unknown[]], R>(read: (...args: A) => R) =>
      (...args: A) => {
        this.#read.add(args[0].pid);
        return read(...args);
      };
    return {
      ...noted,
      maySpendTimeOn: (pid) => this.#sees(this.#shownOf(pid)),
      apps: async (signal) => this.#named(await noted.apps(signal)),
      windows: async (signal) => this.#shown(await noted.windows(signal)),
      tree: scoped(noted.tree),
      find: scoped(noted.find),
      element: element(noted.element),
      elementAt: element(noted.elementAt),
      focusedElement: element(noted.focusedElement),
    };
  }

  /** What an agent must be allowed to see to be told this of the desktop that was read. */
  needed(text: Message): Plan[] {
    const about = aboutText(text);
    if (!this.looked || about === 'machine') return [];
    const read = [...this.#read].map((pid) => this.#apps.get(pid));
    const known = read.filter((one) => one !== undefined);
    if (about === 'app' && known.length > 0 && known.length === read.length)
      return known.map(({ app, window }) => sightOfApp(app, window));
    return [about === 'screen' || about === 'app' ? SCREEN : TITLES];
  }

  #shownOf(pid: number): Plan {
    const known = this.#apps.get(pid);
    return known === undefined ? TITLES : sightOfApp(known.app, known.window);
  }

  #named(apps: App[]): App[] {
    for (const app of apps) if (!this.#apps.has(app.pid)) this.#apps.set(app.pid, { app, window: null });
    return apps;
  }

  #shown(windows: Window[]): Window[] {
    for (const window of windows.toReversed()) this.#apps.set(window.app.pid, { app: window.app, window });
    return windows;
  }
}

/** For what costs no consent, where titles may not be read: nothing is open, whatever is. */
export const closedEyes = (desktop: MaskedReader): MaskedReader => ({
  ...withReadRule(desktop, ['machine', 'changes', 'pointer', 'installed'], () => () => Promise.reject(hiddenError())),
  apps: () => Promise.resolve([]),
  windows: () => Promise.resolve([]),
  frontmost: () => Promise.resolve({ app: null, window: null }),
});
