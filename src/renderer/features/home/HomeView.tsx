/** The home view: requests, active grants, the conversation and recent activity; before first use, an introduction. */
import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import { RecentActivity } from '../activity/RecentActivity.js';
import { Conversation } from '../chat/Conversation.js';
import { FirstRun } from '../setup/FirstRun.js';
import { FirstSteps } from '../setup/FirstSteps.js';
import { FoldedConversation } from '../chat/FoldedConversation.js';
import { FullPicture } from '../requests/FullPicture.js';
import { RequestList } from '../requests/RequestList.js';
import { AppsRegion } from '../apps/AppsRegion.js';
import { RunningCommands } from './RunningCommands.js';
import { ActiveGrants } from './ActiveGrants.js';
import { HostsElsewhere } from './HostsElsewhere.js';
import { needsFirstSteps, useFirstSteps } from '../setup/first-steps.js';
import { useFullPictureRoute, useFullPictureScroll } from '../requests/full-picture-route.js';
import { isFresh } from '../../state/select.js';
import type { ViewProps } from '../../app/props.js';

export function HomeView({ state, actions }: ViewProps): ReactNode {
  const pictureCardId = useFullPictureRoute();
  useFullPictureScroll(pictureCardId);
  useScrollPlace(isFresh(state));
  const popover = state.popover === 'here';
  const first = useFirstSteps();
  if (popover && !first.closed && needsFirstSteps(state))
    return <FirstSteps first={first} state={state} actions={actions} />;
  if (isFresh(state))
    return (
      <>
        <HostsElsewhere state={state} />
        <FirstRun state={state} actions={actions} />
      </>
    );
  return (
    <>
      {pictureCardId === null ? null : (
        <FullPicture
          slot={state.slots.find(({ card }) => card.id === pictureCardId)}
          online={state.connection === 'open'}
          actions={actions}
        />
      )}
      <div className="regions" hidden={pictureCardId !== null}>
        <RequestList state={state} actions={actions} />
        <HostsElsewhere state={state} />
        <ActiveGrants grants={state.grants} online={state.connection === 'open'} onRevoke={actions.revokeGrant} />
        <RunningCommands state={state} actions={actions} />
        <AppsRegion state={state} actions={actions} onlyAttention />
        {popover ? (
          <FoldedConversation state={state} actions={actions} />
        ) : (
          <Conversation state={state} actions={actions} />
        )}
        {popover ? null : <RecentActivity state={state} />}
      </div>
    </>
  );
}

function useScrollPlace(fresh: boolean): void {
  useHashTarget();
  useTopWhenUsed(fresh);
}

/** Whatever place of the introduction the person had scrolled to, what comes first is shown first. */
function useTopWhenUsed(fresh: boolean): void {
  const wasFresh = useRef(fresh);
  useLayoutEffect(() => {
    if (wasFresh.current && !fresh) window.scrollTo({ top: 0, behavior: 'instant' });
    wasFresh.current = fresh;
  }, [fresh]);
}

/** Scrolls to the region named in the address, because the browser looked for it before it was rendered. */
function useHashTarget(): void {
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
