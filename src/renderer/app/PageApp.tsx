/** The page: header, navigation, banners and the view that the address names. */
import { useEffect, useMemo, useSyncExternalStore, type ReactNode } from 'react';
import type { Actions } from './actions.js';
import { pruneDrafts } from '../features/chat/drafts.js';
import { usePreventStrayDrops } from '../features/chat/file-drop.js';
import { useFocusFallback } from './focus-fallback.js';
import { useKeyboardShortcuts } from './keyboard-shortcuts.js';
import { StillAskedContext } from './outcomes.js';
import { usePreloadedViews } from './preloaded-views.js';
import { useScrollAnchor } from './scroll-anchor.js';
import { CommandContext } from '../ui/command.js';
import { PopoverContext } from './popover.js';
import { useRootAttribute } from '../ui/root-attribute.js';
import { useRoute, type ViewRoute } from './route.js';
import { useViewScroll } from './view-scroll.js';
import { useScrollToNew } from '../features/requests/out-of-view.js';
import { chipState, isFresh, stillAsked, waitingCount } from '../state/select.js';
import type { Role } from '../../main/protocol/index.js';
import type { PageState, Slot } from '../state/state.js';
import { waitingFor, type Waiting } from '../state/waiting.js';
import type { PageStore } from '../state/store.js';
import { t } from '../strings.js';
import { EvidenceView, NAVIGATION, VIEWS } from './views.js';
import { Announcer } from '../ui/Announcer.js';
import { Banner } from '../ui/Banner.js';
import { Conversation } from '../features/chat/Conversation.js';
import { FirstRun } from '../features/setup/FirstRun.js';
import { Header } from './Header.js';
import { Navigation, PopoverFoot } from './Navigation.js';
import { PairCard } from '../features/setup/PairCard.js';
import { useWaitingLink, WaitingStrip } from '../features/requests/WaitingStrip.js';
import { PairingBanner } from '../features/setup/PairingBanner.js';

const NOTHING: readonly Waiting[] = [];

export function PageApp({ store, actions }: { store: PageStore; actions: Actions }): ReactNode {
  const state = useSyncExternalStore(store.subscribe, store.get);
  const route = useAllowedRoute(state.role);
  const { view } = route;
  const ready = state.greeted && chipState(state) !== 'connecting';
  const paired = ready && state.role === 'paired';
  const popover = state.popover === 'here';
  const { slots, chat, pending } = state;
  const open = useMemo(() => stillAsked({ slots, chat, pending }), [slots, chat, pending]);
  const waiting = useMemo(() => waitingFor({ slots, chat, pending }), [slots, chat, pending]);
  const wide = view === 'evidence' || view === 'live';
  useRootAttribute('wide', wide);
  useRootAttribute('popover', paired && popover);
  useTitle(waitingCount(state), view);
  useScrollAnchor(store);
  useFocusFallback();
  usePreventStrayDrops();
  useViewScroll(view);
  useWaitingLink(waiting);
  useScrollToNew(waiting);
  useKeyboardShortcuts(actions.stop, requestsKey(slots));
  usePrunedDrafts(ready, state, actions);
  usePreloadedViews(paired && state.connection === 'open');
  return (
    <CommandContext value={state.command}>
      <PopoverContext value={state.popover}>
        <Header state={state} home={view === 'home'} onStop={actions.stop} />
        <WaitingStrip items={ready ? waiting : NOTHING} />
        {paired && (!popover || view !== 'home') ? <Views state={state} current={view} /> : null}
        <main className={wide ? 'page wide' : 'page'} id="main" tabIndex={-1}>
          <Banner state={state} actions={actions} />
          <PairingBanner news={state.pairingNews} actions={actions} />
          <Announcer slots={state.slots} />
          <StillAskedContext value={open}>{ready ? <Body {...{ route, state, actions }} /> : null}</StillAskedContext>
        </main>
        {paired && popover ? <PopoverFoot items={NAVIGATION} current={view} onBrowser={actions.openBrowser} /> : null}
      </PopoverContext>
    </CommandContext>
  );
}

/** An unpaired page has only the home view. */
function useAllowedRoute(role: Role): ViewRoute {
  const route = useRoute();
  return role === 'paired' ? route : { view: 'home' };
}

/** Forgets the drafts of what is no longer shown; an ended card still shows its own. */
function usePrunedDrafts(ready: boolean, state: PageState, actions: Actions): void {
  useEffect(() => {
    if (!ready) return;
    pruneDrafts('reply', state.pending);
    // A page that is not paired, or not yet, is told of no requests.
    const cards = state.slots.map(({ card }) => card.id);
    if (state.role === 'paired') pruneDrafts('denial', cards);
    actions.pictures.prune(state.pending);
  }, [ready, state.role, state.pending, state.slots, actions]);
}

function Views({ state, current }: { state: PageState; current: ViewRoute['view'] }): ReactNode {
  return (
    <Navigation
      id={state.popover === 'here' ? 'all-views' : 'views'}
      items={NAVIGATION}
      current={current}
      issues={state.health?.issues.length ?? 0}
    />
  );
}

function requestsKey(slots: readonly Slot[]): string {
  const open = slots.filter(({ settled }) => settled === null);
  return `${open[0]?.card.id ?? ''} ${slots.length - open.length}`;
}

const titleOf = (waiting: number, view: string | null): string =>
  `${waiting > 0 ? `(${waiting}) ` : ''}${view === null ? '' : `${view} · `}Chaperone`;

function useTitle(waiting: number, view: ViewRoute['view']): void {
  useEffect(() => {
    const name = view === 'home' ? null : view === 'evidence' ? t('page.activity.evidence') : t(`page.views.${view}`);
    document.title = titleOf(waiting, name);
  }, [waiting, view]);
}

function Body({ route, state, actions }: { route: ViewRoute; state: PageState; actions: Actions }): ReactNode {
  if (state.role === 'unpaired') {
    return (
      <>
        <PairCard
          refused={state.identity === 'refused' ? (state.refusal ?? t('page.pair.refused')) : null}
          mayRead={state.mayRead}
          confirmedIn={state.confirmedIn}
        />
        {isFresh(state) ? <FirstRun state={state} actions={null} /> : <Conversation state={state} actions={actions} />}
      </>
    );
  }
  if (route.view === 'evidence') {
    return <EvidenceView state={state} actions={actions} executionId={route.executionId} />;
  }
  const View = VIEWS[route.view];
  return <View state={state} actions={actions} />;
}
