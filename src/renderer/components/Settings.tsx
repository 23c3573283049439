/** Folded at the end of the page: when Chaperone asks, what has been allowed, and whether everything works. */
import { useState, type ReactNode } from 'react';
import type { Actions } from '../page/actions.js';
import type { PageState } from '../state/state.js';
import { strings } from '../strings.js';
import { FoldButton } from './FoldButton.js';
import { Grants } from './Grants.js';
import { HealthList } from './HealthList.js';
import { Pairings } from './Pairings.js';
import { PolicyChoice } from './PolicyChoice.js';

export function Settings({ state, actions }: { state: PageState; actions: Actions }): ReactNode {
  const [open, setOpen] = useState(false);
  const issues = state.health?.issues.length ?? 0;
  return (
    <section className="region" id="settings" aria-labelledby="h-settings" data-fold={open ? 'open' : 'closed'}>
      <div className="region-h">
        <h2 id="h-settings">
          <FoldButton open={open} label={strings.settings.heading} onToggle={() => setOpen(!open)} />
        </h2>
        {issues > 0 ? <span className="chip c-wait">{strings.settings.issues(issues)}</span> : null}
      </div>
      {open ? <Parts state={state} actions={actions} /> : null}
    </section>
  );
}

function Parts({ state, actions }: { state: PageState; actions: Actions }): ReactNode {
  const online = state.link === 'open';
  return (
    <div className="settings">
      {state.health === null ? null : <HealthList health={state.health} verified={state.status.recordVerified} />}
      {state.policy === null ? null : (
        <PolicyChoice key={state.policy.preset} policy={state.policy} online={online} onUse={actions.setPolicy} />
      )}
      <Grants grants={state.grants} online={online} onRevoke={actions.revokeGrant} />
      <Pairings pairings={state.pairings} online={online} onUnpair={actions.unpair} />
    </div>
  );
}
