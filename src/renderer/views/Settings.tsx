/** When Chaperone asks, what has been allowed, and which pages may approve. */
import type { ReactNode } from 'react';
import { Grants } from '../components/Grants.js';
import { HealthList } from '../components/HealthList.js';
import { Pairings } from '../components/Pairings.js';
import { PolicyChoice } from '../components/PolicyChoice.js';
import { ViewHead } from '../components/ViewHead.js';
import { strings } from '../strings.js';
import type { ViewProps } from './views.js';

export function Settings({ state, actions }: ViewProps): ReactNode {
  const online = state.link === 'open';
  return (
    <>
      <ViewHead title={strings.views.settings} />
      <div className="settings" id="settings">
        {state.policy === null ? null : (
          <PolicyChoice key={state.policy.preset} policy={state.policy} online={online} onUse={actions.setPolicy} />
        )}
        <Grants grants={state.grants} online={online} onRevoke={actions.revokeGrant} />
        <Pairings pairings={state.pairings} online={online} onUnpair={actions.unpair} />
        {state.health === null ? null : <HealthList health={state.health} verified={state.status.recordVerified} />}
      </div>
    </>
  );
}
