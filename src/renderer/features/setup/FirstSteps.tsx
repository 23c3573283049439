/** The introduction in the popover, in steps: what this is, permissions, and connecting an agent. Can be left at any step. */
import { useEffect, useRef, type ReactNode } from 'react';
import type { Actions } from '../../app/actions.js';
import {
  lacksPermission,
  STEPS,
  usePermissionPolling,
  type FirstStepsState,
  type FirstStep,
  clientsRefreshKey,
  Hero,
  withAutomation,
} from './FirstRun.js';
import type { PageState } from '../../state/state.js';
import { t } from '../../strings.js';
import { Button } from '../../ui/Button.js';
import { useRootAttribute } from '../../ui/window-events.js';
import { ConnectAgent } from './ConnectAgent.js';
import { DemoPanel } from './DemoPanel.js';
import { Permissions } from '../health/Permissions.js';
import { hrefOf } from '../../app/route.js';

interface Props {
  first: FirstStepsState;
  state: PageState;
  actions: Actions;
  /** Where it goes when it is left or done. */
  onClose?(): void;
}

export function FirstSteps({ first, state, actions, onClose }: Props): ReactNode {
  const { step } = first;
  const index = STEPS.indexOf(step);
  const next = STEPS[index + 1];
  const previous = STEPS[index - 1];
  const top = useRef<HTMLDivElement>(null);
  const shown = useRef(step);
  useRootAttribute('firstSteps', true);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    scrollTo({ top: 0, behavior: 'instant' });
    top.current?.focus({ preventScroll: true });
  }, [step]);
  const close = (finished: boolean) => {
    first.close(finished);
    onClose?.();
  };
  return (
    <div className="first-steps">
      <div className="steps-h" ref={top} tabIndex={-1}>
        <span className="xs dim num">{t('page.setup.steps.at', { step: index + 1, of: STEPS.length })}</span>
        {next === undefined ? null : (
          <button type="button" className="lnk" onClick={() => close(false)}>
            {t('page.setup.steps.later')}
          </button>
        )}
      </div>
      <CurrentStep step={step} state={state} actions={actions} />
      <div className="steps-f">
        {previous === undefined ? null : (
          <Button variant="quiet" onClick={() => first.go(previous)}>
            {t('page.setup.steps.back')}
          </Button>
        )}
        <Button variant="solid" onClick={() => (next === undefined ? close(true) : first.go(next))}>
          {next === undefined ? t('page.setup.steps.finish') : t('page.setup.steps.next')}
        </Button>
      </div>
    </div>
  );
}

function CurrentStep({ step, state, actions }: { step: FirstStep; state: PageState; actions: Actions }): ReactNode {
  if (step === 'what') return <Hero />;
  if (step === 'permissions') return <PermissionsStep state={state} actions={actions} />;
  return (
    <>
      <h1 className="t22">{t('page.first.connect')}</h1>
      <ConnectAgent
        ask={actions.ask}
        refreshKey={clientsRefreshKey(state)}
        online={state.connection === 'open'}
        heading={false}
      />
      <DemoPanel state={state} actions={actions} filled={false} />
    </>
  );
}

function PermissionsStep({ state, actions }: { state: PageState; actions: Actions }): ReactNode {
  usePermissionPolling(actions.ask, state.connection === 'open');
  const { health } = state;
  return (
    <>
      <div className="plain">
        <h1 className="t22">{t('page.setup.steps.permissions')}</h1>
        <p className="mut">{t(`page.setup.steps.lead.${health?.system ?? 'linux'}`)}</p>
      </div>
      {health === null ? null : <Permissions health={withAutomation(health)} state={state} actions={actions} />}
      <p className="small mut" role="status">
        {lacksPermission(health)
          ? `${t('page.setup.steps.some')} ${t('page.setup.steps.looking')}`
          : t('page.setup.steps.all')}
      </p>
    </>
  );
}

/** A link to the introduction. */
export function FirstStepsLink(): ReactNode {
  return (
    <p className="small mut">
      <a href={hrefOf({ view: 'welcome' })}>{t('page.setup.steps.again')}</a>
      {t('page.marks.colon')}
      {t('page.setup.steps.again_text')}
    </p>
  );
}
