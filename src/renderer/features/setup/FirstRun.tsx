/** The introduction before first use: what Chaperone does, what it needs, how to connect an agent, and the demo. */
import type { ReactNode } from 'react';
import type { Actions } from '../../app/actions.js';
import { lacksPermission, usePermissionPolling } from './first-steps.js';
import type { Health } from '../../../main/protocol/index.js';
import type { PageState } from '../../state/state.js';
import { t } from '../../strings.js';
import { ConnectAgent } from './ConnectAgent.js';
import { DemoPanel, RunDemo } from './DemoPanel.js';
import { Icon, type IconName } from '../../ui/Icon.js';
import { Permissions } from '../health/Permissions.js';

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
