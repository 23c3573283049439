/** The settings view: policy, grants, excluded applications, retention, and settings of this page. */
import type { ReactNode } from 'react';
import { Appearance } from './Appearance.js';
import { ExcludedApps } from './ExcludedApps.js';
import { FirstStepsLink } from '../setup/FirstStepsLink.js';
import { GrantList } from './GrantList.js';
import { OwnHabits } from './OwnHabits.js';
import { PairingList } from './PairingList.js';
import { PolicyChoice } from './PolicyChoice.js';
import { RetentionChoice } from './RetentionChoice.js';
import { ViewHeader } from '../../ui/ViewHeader.js';
import { t } from '../../strings.js';
import type { ViewProps } from '../../app/props.js';

export function SettingsView({ state, actions }: ViewProps): ReactNode {
  const { policy } = state;
  const online = state.connection === 'open';
  return (
    <>
      <ViewHeader title={t('page.views.settings')} />
      {policy === null ? null : (
        <PolicyChoice key={policy.preset} policy={policy} online={online} onUse={actions.setPolicy} />
      )}
      <GrantList grants={state.grants} online={online} onRevoke={actions.revokeGrant} />
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
      <PairingList pairings={state.pairings} online={online} onUnpair={actions.unpair} />
    </>
  );
}
