/** The start: what waits for the person, what is allowed for now, the conversation, what happened. Empty, it teaches. */
import { useEffect, type ReactNode } from 'react';
import { ActivityList } from '../activity/ActivityList.js';
import { Conversation } from '../conversation/Conversation.js';
import { FirstRun } from '../setup/FirstRun.js';
import { FirstSteps } from '../setup/FirstSteps.js';
import { FoldedConversation } from '../conversation/FoldedConversation.js';
import { Look } from '../live/Look.js';
import { Needs } from '../requests/Needs.js';
import { RunningCommands } from './RunningCommands.js';
import { RunningGrants } from './RunningGrants.js';
import { needsFirstSteps, useFirstSteps } from '../setup/first-steps.js';
import { useLook, useLookPlace } from '../live/look.js';
import { isFresh } from '../../state/select.js';
import type { ViewProps } from '../../app/props.js';

export function Home({ state, actions }: ViewProps): ReactNode {
  const looked = useLook();
  useLookPlace(looked);
  useArrival();
  const popover = state.popover === 'here';
  const first = useFirstSteps();
  if (popover && !first.closed && needsFirstSteps(state))
    return <FirstSteps first={first} state={state} actions={actions} />;
  if (isFresh(state)) return <FirstRun state={state} actions={actions} />;
  return (
    <>
      {looked === null ? null : (
        <Look
          slot={state.slots.find(({ card }) => card.id === looked)}
          online={state.link === 'open'}
          actions={actions}
        />
      )}
      <div className="regions" hidden={looked !== null}>
        <Needs state={state} actions={actions} />
        <RunningGrants grants={state.grants} online={state.link === 'open'} onRevoke={actions.revokeGrant} />
        <RunningCommands state={state} actions={actions} />
        {popover ? (
          <FoldedConversation state={state} actions={actions} />
        ) : (
          <Conversation state={state} actions={actions} />
        )}
        {popover ? null : <ActivityList state={state} />}
      </div>
    </>
  );
}

/** A link from another view to one region of this one: the browser looked for it before it was there. */
function useArrival(): void {
  useEffect(() => {
    const arrive = () => {
      const region = /^#[a-z]+$/.test(location.hash) ? document.querySelector<HTMLElement>(location.hash) : null;
      region?.scrollIntoView({ behavior: 'instant' });
      region?.focus({ preventScroll: true });
    };
    arrive();
    window.addEventListener('hashchange', arrive);
    return () => window.removeEventListener('hashchange', arrive);
  }, []);
}
