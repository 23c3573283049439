/** When Chaperone asks, what has been allowed, what agents never see, and what only concerns this page. */
import type { ReactNode } from 'react';
import { Appearance } from '../components/Appearance.js';
import { ExcludedApps } from '../components/ExcludedApps.js';
import { FirstStepsLink } from '../components/FirstStepsLink.js';
import { Grants } from '../components/Grants.js';
import { OwnHabits } from '../components/OwnHabits.js';
import { Pairings } from '../components/Pairings.js';
import { PolicyChoice } from '../components/PolicyChoice.js';
import { RetentionChoice } from '../components/RetentionChoice.js';
import { ViewHead } from '../components/ViewHead.js';
import { strings } from '../strings.js';
import type { ViewProps } from './props.js';

export function Settings({ state, actions }: ViewProps): ReactNode {
  const { policy } = state;
  const online = state.link === 'open';
  return (
    <>
      <ViewHead title={strings.views.settings} />
      {policy === null ? null : (
        <PolicyChoice key={policy.preset} policy={policy} online={online} onUse={actions.setPolicy} />
      )}
      <Grants grants={state.grants} online={online} onRevoke={actions.revokeGrant} />
      <OwnHabits online={online} actions={actions} />
      {policy?.excludedApps === undefined ? null : (
        <ExcludedApps excluded={policy.excludedApps} online={online} actions={actions} />
      )}
      {policy?.retention === undefined ? null : (
        <RetentionChoice
          key={`${policy.retention.maxAgeDays} ${policy.retention.maxBytes}`}
          retention={policy.retention}
          online={online}
          onUse={actions.setRetention}
        />
      )}
      <Appearance />
      <FirstStepsLink />
      <Pairings pairings={state.pairings} online={online} onUnpair={actions.unpair} />
    </>
  );
}
