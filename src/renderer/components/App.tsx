/** The page: what needs you, then the conversation, then what happened. One component a region, state handed down. */
import { useEffect, useSyncExternalStore, type ReactNode } from 'react';
import type { Actions } from '../page/actions.js';
import { pruneDrafts } from '../page/drafts.js';
import { usePageKeys } from '../page/keys.js';
import { useKeptPlace } from '../page/place.js';
import { Popover } from '../page/popover.js';
import { chipState, isFresh, waitingCount } from '../state/select.js';
import type { PageState } from '../state/state.js';
import type { Store } from '../state/store.js';
import { strings } from '../strings.js';
import { ActivityList } from './ActivityList.js';
import { Announcer } from './Announcer.js';
import { Banner } from './Banner.js';
import { Conversation } from './Conversation.js';
import { FirstRun } from './FirstRun.js';
import { Header } from './Header.js';
import { Sprite } from './Icon.js';
import { Needs } from './Needs.js';
import { PairCard } from './PairCard.js';
import { Settings } from './Settings.js';

export function App({ store, actions }: { store: Store; actions: Actions }): ReactNode {
  const state = useSyncExternalStore(store.subscribe, store.get);
  const waiting = waitingCount(state);
  useKeptPlace(store);
  usePageKeys(actions.stop);
  useEffect(() => {
    document.title = strings.title(waiting);
  }, [waiting]);
  useEffect(() => {
    if (state.greeted) pruneDrafts(state.pending);
  }, [state.greeted, state.pending]);
  return (
    <Popover value={state.popover}>
      <Sprite />
      <Header state={state} onStop={actions.stop} />
      <main className="page" id="main" tabIndex={-1}>
        <Banner state={state} actions={actions} />
        <Announcer slots={state.slots} />
        <Body state={state} actions={actions} />
      </main>
    </Popover>
  );
}

function Body({ state, actions }: { state: PageState; actions: Actions }): ReactNode {
  if (!state.greeted || chipState(state) === 'connecting') return null;
  const fresh = isFresh(state);
  if (state.role === 'unpaired') {
    return (
      <>
        <PairCard refused={state.identity === 'refused' ? (state.refusal ?? strings.pair.refused) : null} />
        {fresh ? <FirstRun hero={false} /> : <Conversation state={state} actions={actions} />}
      </>
    );
  }
  return (
    <>
      {fresh ? (
        <FirstRun hero />
      ) : (
        <>
          <Needs state={state} actions={actions} />
          <Conversation state={state} actions={actions} />
          <ActivityList state={state} />
        </>
      )}
      <Settings state={state} actions={actions} />
    </>
  );
}
