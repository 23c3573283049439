/** The page: its header on every view, the view its address names, and what must be said on all of them. */
import { useEffect, useMemo, useSyncExternalStore, type ReactNode } from 'react';
import type { Actions } from './actions.js';
import { pruneDrafts } from '../features/conversation/drafts.js';
import { useNoStrayDrops } from '../features/conversation/drop.js';
import { useKeptFocus } from './focus.js';
import { usePageKeys } from './keys.js';
import { StillAsked } from './outcomes.js';
import { useKeptPlace } from './place.js';
import { Command } from '../ui/command.js';
import { Popover } from './popover.js';
import { useRootMark } from '../ui/root-mark.js';
import { useRoute, type Route } from './route.js';
import { useViewStart } from './scroll.js';
import { useScrollToNew } from '../features/requests/sight.js';
import { chipState, isFresh, stillAsked, waitingCount } from '../state/select.js';
import type { PageState, Slot } from '../state/state.js';
import { waitingFor, type Waiting } from '../state/waiting.js';
import type { Store } from '../state/store.js';
import { t } from '../strings.js';
import { EVIDENCE, shownView, viewNames, VIEWS } from './views.js';
import { Announcer } from '../ui/Announcer.js';
import { Banner } from '../ui/Banner.js';
import { Conversation } from '../features/conversation/Conversation.js';
import { FirstRun } from '../features/setup/FirstRun.js';
import { Header } from './Header.js';
import { Navigation, PopoverFoot } from './Navigation.js';
import { PairCard } from '../features/setup/PairCard.js';
import { useWaitingLink, WaitingStrip } from '../features/requests/WaitingStrip.js';
import { PairingNews } from '../features/setup/PairingNews.js';

const NOTHING: readonly Waiting[] = [];

export function App({ store, actions }: { store: Store; actions: Actions }): ReactNode {
  const state = useSyncExternalStore(store.subscribe, store.get);
  const asked = useRoute();
  const route: Route = state.role === 'paired' ? asked : { view: 'home' };
  const view = shownView(route);
  const ready = state.greeted && chipState(state) !== 'connecting';
  const shell = ready && state.role === 'paired';
  const popover = state.popover === 'here';
  const { slots, chat, pending } = state;
  const open = useMemo(() => stillAsked({ slots, chat, pending }), [slots, chat, pending]);
  const waiting = useMemo(() => waitingFor({ slots, chat, pending }), [slots, chat, pending]);
  const wide = view === 'evidence' || view === 'live';
  useRootMark('wide', wide);
  useRootMark('popover', shell && popover);
  useTitle(waitingCount(state), view);
  useKeptPlace(store);
  useKeptFocus();
  useNoStrayDrops();
  useViewStart(view);
  useWaitingLink(waiting);
  useScrollToNew(waiting);
  usePageKeys(actions.stop, turnOf(slots));
  usePrunedDrafts(ready, state, actions);
  return (
    <Command value={state.command}>
      <Popover value={state.popover}>
        <Header state={state} home={view === 'home'} onStop={actions.stop} />
        <WaitingStrip things={ready ? waiting : NOTHING} />
        {shell && (!popover || view !== 'home') ? <Views state={state} current={view} /> : null}
        <main className={wide ? 'page wide' : 'page'} id="main" tabIndex={-1}>
          <Banner state={state} actions={actions} />
          <PairingNews news={state.pairingNews} actions={actions} />
          <Announcer slots={state.slots} />
          <StillAsked value={open}>{ready ? <Body route={route} state={state} actions={actions} /> : null}</StillAsked>
        </main>
        {shell && popover ? <PopoverFoot items={viewNames} current={view} onBrowser={actions.openBrowser} /> : null}
      </Popover>
    </Command>
  );
}

/** Drafts of what is no longer shown are forgotten; an ended card shows its own. */
function usePrunedDrafts(ready: boolean, state: PageState, actions: Actions): void {
  useEffect(() => {
    if (!ready) return;
    pruneDrafts([...state.pending, ...state.slots.map(({ card }) => card.id)]);
    actions.pictures.prune(state.pending);
  }, [ready, state.pending, state.slots, actions]);
}

function Views({ state, current }: { state: PageState; current: Route['view'] }): ReactNode {
  return (
    <Navigation
      id={state.popover === 'here' ? 'all-views' : 'views'}
      items={viewNames}
      current={current}
      issues={state.health?.issues.length ?? 0}
    />
  );
}

function turnOf(slots: readonly Slot[]): string {
  const open = slots.filter(({ settled }) => settled === null);
  return `${open[0]?.card.id ?? ''} ${slots.length - open.length}`;
}

const titleOf = (waiting: number, view: string | null): string =>
  `${waiting > 0 ? `(${waiting}) ` : ''}${view === null ? '' : `${view} · `}Chaperone`;

function useTitle(waiting: number, view: Route['view']): void {
  useEffect(() => {
    const name = view === 'home' ? null : view === 'evidence' ? t('page.activity.evidence') : t(`page.views.${view}`);
    document.title = titleOf(waiting, name);
  }, [waiting, view]);
}

function Body({ route, state, actions }: { route: Route; state: PageState; actions: Actions }): ReactNode {
  if (state.role === 'unpaired') {
    return (
      <>
        <PairCard
          refused={state.identity === 'refused' ? (state.refusal ?? t('page.pair.refused')) : null}
          confirmedIn={state.confirmedIn}
        />
        {isFresh(state) ? <FirstRun state={state} actions={null} /> : <Conversation state={state} actions={actions} />}
      </>
    );
  }
  if (route.view === 'evidence') {
    const Evidence = EVIDENCE ?? VIEWS.home;
    return <Evidence state={state} actions={actions} executionId={route.executionId} />;
  }
  const View = VIEWS[route.view] ?? VIEWS.home;
  return <View state={state} actions={actions} />;
}
