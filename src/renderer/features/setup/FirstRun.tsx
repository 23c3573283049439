/** The introduction before first use: what Chaperone does, what it needs, how to connect an agent, and the demo. */
import { type ReactNode, useEffect, useState } from 'react';
import type { Actions } from '../../app/actions.js';
import type { Health } from '../../../main/protocol/index.js';
import type { PageState } from '../../state/state.js';
import { t } from '../../strings.js';
import { ConnectAgent } from './ConnectAgent.js';
import { DemoPanel, RunDemo } from './DemoPanel.js';
import { Icon, type IconName } from '../../ui/Icon.js';
import { Permissions } from '../health/Permissions.js';
import type { Ask } from '../../net/host-questions.js';
import { isFresh, waitingCount } from '../../state/select.js';
import { storedChoice } from '../../ui/browser-storage.js';

const POINTS: readonly [point: 'asks' | 'talk' | 'record', icon: IconName][] = [
  ['asks', 'hand'],
  ['talk', 'chat'],
  ['record', 'shield'],
];

/** Without `actions`, the page is not paired: it only shows what a person can do elsewhere. */
export function FirstRun({ state, actions }: { state: PageState; actions: Actions | null }): ReactNode {
  const { demo } = state.status;
  return (
    <>
      {actions === null ? null : <Hero>{demo === undefined ? null : <RunDemo {...{ state, actions }} />}</Hero>}
      {actions === null || state.health === null ? null : (
        <MissingPermissions health={state.health} {...{ state, actions }} />
      )}
      <ConnectAgent
        ask={actions?.ask ?? null}
        refreshKey={clientsRefreshKey(state)}
        online={state.connection === 'open'}
      />
      {actions === null || demo === undefined ? <DemoPanel state={state} actions={actions} /> : null}
    </>
  );
}

/** Shown only where a permission is missing or macOS will ask; the health view has the whole list. */
function MissingPermissions({
  health,
  state,
  actions,
}: {
  health: Health;
  state: PageState;
  actions: Actions;
}): ReactNode {
  const lacks = lacksPermission(health);
  usePermissionPolling(actions.ask, lacks && state.connection === 'open');
  if (!lacks && health.system !== 'macos') return null;
  return <Permissions health={withAutomation(health)} state={state} actions={actions} />;
}

/** macOS asks for it when it is first used, so the host cannot say more before that. */
export function withAutomation(health: Health): Health {
  if (health.system !== 'macos' || health.automation !== undefined) return health;
  return {
    ...health,
    permissions: { ...health.permissions, automation: health.permissions['automation'] ?? 'unknown' },
  };
}

/** Changes when agents connect or leave and after a reconnect, because the state of clients may then be another. */
export function clientsRefreshKey({ connection, status }: PageState): string {
  return [connection, ...status.agents.map(({ name }) => name)].join();
}

/** `children`: what a person can do first, in view on every screen. */
export function Hero({ children }: { children?: ReactNode }): ReactNode {
  return (
    <>
      <div className="hero">
        <span className="mark">
          <Icon name="mark" />
        </span>
        <h1>{t('page.first.heading')}</h1>
        <p>{t('page.first.text')}</p>
        {children}
      </div>
      <ul className="points">
        {POINTS.map(([point, icon]) => (
          <li key={point}>
            <Icon name={icon} />
            <b>{t(`page.first.${point}.title`)}</b>
            <p>{t(`page.first.${point}.text`)}</p>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The current step of the introduction, stored in this browser. */
export const STEPS = ['what', 'permissions', 'connect'] as const;
export type FirstStep = (typeof STEPS)[number];

const storedStep = storedChoice('first-step', STEPS);
const storedClosed = storedChoice('first-steps-closed', ['yes']);

export type FirstStepsState = ReturnType<typeof useFirstSteps>;

export function useFirstSteps() {
  const [step, setStep] = useState<FirstStep>(() => storedStep.read() ?? 'what');
  const [isClosed, setClosed] = useState(() => storedClosed.read() !== null);
  return {
    step,
    /** Finished or left for later; not shown automatically any more. */
    closed: isClosed,
    go(next: FirstStep): void {
      storedStep.write(next);
      setStep(next);
    },
    /** `finished`: the next time they begin anew. */
    close(finished: boolean): void {
      if (finished) storedStep.write(null);
      storedClosed.write('yes');
      setClosed(true);
    },
  };
}

/** Nothing has happened yet, or a permission is missing; never while something waits for the person. */
export function needsFirstSteps(state: PageState): boolean {
  if (waitingCount(state) > 0) return false;
  return isFresh(state) || lacksPermission(state.health);
}

export function lacksPermission(health: Health | null): boolean {
  return Object.values(health?.permissions ?? {}).some((given) => given === 'missing' || given === 'stale');
}

const POLL_MS = 3_000;

/** Has the host check permissions regularly while they are shown; the result arrives as a `health` message. */
export function usePermissionPolling(ask: Ask, online: boolean): void {
  useEffect(() => {
    if (!online) return undefined;
    const poll = () => {
      if (document.visibilityState === 'visible') ask('check', { record: false }).catch(() => undefined);
    };
    poll();
    const timer = setInterval(poll, POLL_MS);
    return () => clearInterval(timer);
  }, [ask, online]);
}
