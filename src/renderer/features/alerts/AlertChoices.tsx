/** Switches for alerts of this browser, and the offer to turn them on once the person has answered a first request. */
import { useState, type ReactNode } from 'react';
import type { PageState } from '../../state/state.js';
import { countEnded } from '../../state/waiting.js';
import { t } from '../../strings.js';
import { Button } from '../../ui/Button.js';
import { Region } from '../../ui/Region.js';
import { setAlert, useAlertState, type Alert } from './alerts.js';

const ALERTS: readonly Alert[] = ['notification', 'sound'];

/** Nothing in the popover: the menu bar app tells in its own way. */
export function AlertSettings({ popover }: { popover: boolean }): ReactNode {
  if (popover) return null;
  return (
    <Region id="alerts" heading={t('page.alerts.heading')}>
      <div className="panel">
        <div className="panel-b">
          {ALERTS.map((alert) => (
            <AlertSwitch key={alert} alert={alert} />
          ))}
        </div>
      </div>
    </Region>
  );
}

function AlertSwitch({ alert }: { alert: Alert }): ReactNode {
  const state = useAlertState(alert);
  return (
    <label className="small check">
      <input
        type="checkbox"
        checked={state === 'on'}
        disabled={state === 'blocked'}
        onChange={(event) => void setAlert(alert, event.target.checked)}
      />
      <span>{t(`page.alerts.${alert}`)}</span>
      {state === 'blocked' ? <span className="mut">{t('page.alerts.blocked')}</span> : null}
    </label>
  );
}

/** Shown once the person has answered a request, and knows what waits for them. */
export function AlertOffer({ state: { slots, popover } }: { state: PageState }): ReactNode {
  const state = useAlertState('notification');
  const [closed, setClosed] = useState(false);
  if (popover === 'here' || closed || state !== 'unasked' || countEnded(slots).answered === 0) return null;
  const choose = (on: boolean) => {
    setClosed(true);
    void setAlert('notification', on);
  };
  return (
    <div className="note offer" role="group" aria-label={t('page.alerts.offer')}>
      <span>{t('page.alerts.offer')}</span>
      <Button variant="sm" onClick={() => choose(true)}>
        {t('page.alerts.offer_yes')}
      </Button>
      <Button variant="sm" onClick={() => choose(false)}>
        {t('page.alerts.offer_no')}
      </Button>
    </div>
  );
}
