/** The page: header, navigation, banners and the view that the address names. */
import { useEffect, useMemo, useSyncExternalStore, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { type Actions, StillAskedContext } from './actions.js';
import { pruneDrafts } from '../features/chat/drafts.js';
import { usePreventStrayDrops } from '../features/chat/file-drop.js';
import { useAlerts } from '../features/alerts/AlertChoices.js';
import { KeyHelp, useKeyboardShortcuts } from './KeyHelp.js';
import { CommandContext } from '../ui/commands.js';
import { PopoverContext } from './popover.js';
import { useRootAttribute } from '../ui/window-events.js';
import { useRoute, type ViewRoute } from './route.js';
import { useScrollToNew } from '../features/requests/out-of-view.js';
import { chipState, isFresh, stillAsked, waitingCount, waitingFor, type Waiting } from '../state/select.js';
import { type Role, askerKind, MAX_AGENT_NAME_LENGTH, toPlainText, titleText } from '../../main/protocol/index.js';
import type { PageState, Slot } from '../state/state.js';
import type { PageStore } from '../state/store.js';
import { t, formatter } from '../strings.js';
import { EvidenceView, NAVIGATION, VIEWS, loadRest } from './views.js';
import { fullNameOf, NamesContext, useFullAgentName, type NameOf } from '../ui/agents.js';
import { Banner } from '../ui/Banner.js';
import { Conversation } from '../features/chat/Conversation.js';
import { FirstRun } from '../features/setup/FirstRun.js';
import { Header, Navigation, PopoverFoot } from './Header.js';
import { PairCard, PairingBanner } from '../features/setup/PairCard.js';
import { useWaitingLink, WaitingStrip } from '../features/requests/WaitingStrip.js';

// When the focused element is removed, moves the focus to the nearest container that is left instead of the top of the page.

const CONTAINER = 'section, article, [tabindex], main';

/** Call once. Components that know a better target set the focus themselves before this runs. */
function useFocusFallback(): void {
  useEffect(() => {
    /** `containers`: nearest first. */
    let focused: { element: Element; containers: Element[] } | null = null;
    const onFocusIn = ({ target }: FocusEvent) => {
      focused = target instanceof Element ? { element: target, containers: containersOf(target) } : null;
    };
    const onFocusOut = () =>
      // Later, because focusout comes before the element is removed.
      setTimeout(() => {
        if (focused?.element.isConnected === true && isLost()) focused = null;
      });
    const watcher = new MutationObserver(() => {
      if (focused === null || focused.element.isConnected || !isLost()) return;
      const { containers } = focused;
      focused = null;
      focusOn(containers.map(currentElement).find((container) => container !== null) ?? null);
    });
    watcher.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', onFocusIn);
    document.addEventListener('focusout', onFocusOut);
    return () => {
      watcher.disconnect();
      document.removeEventListener('focusin', onFocusIn);
      document.removeEventListener('focusout', onFocusOut);
    };
  }, []);
}

function isLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function containersOf(element: Element): Element[] {
  const container = element.parentElement?.closest(CONTAINER) ?? null;
  return container === null ? [] : [container, ...containersOf(container)];
}

/** Finds a container that was rendered again, by its name. */
function currentElement(container: Element): HTMLElement | null {
  const name = container.getAttribute('aria-labelledby');
  const now =
    container.isConnected || name === null
      ? container
      : document.querySelector(`[aria-labelledby="${CSS.escape(name)}"]`);
  return now instanceof HTMLElement && now.isConnected && now.checkVisibility() ? now : null;
}

function focusOn(container: HTMLElement | null): void {
  if (container === null) return;
  if (!container.hasAttribute('tabindex')) {
    container.tabIndex = -1;
    container.addEventListener('blur', () => container.removeAttribute('tabindex'), { once: true });
  }
  container.focus({ preventScroll: true });
}

// Keeps what the person reads in place when something above it appears, grows or is removed.

interface Anchor {
  element: Element;
  top: number;
}

/** Call once, in a component above all that render the state. */
function useScrollAnchor(store: PageStore): void {
  const anchor = useRef<Anchor | null>(null);
  useEffect(() => store.beforeChange(() => (anchor.current ??= findAnchor())), [store]);
  useLayoutEffect(() => {
    const kept = anchor.current;
    anchor.current = null;
    if (kept === null || !kept.element.isConnected) return;
    const shift = kept.element.getBoundingClientRect().top - kept.top;
    if (Math.abs(shift) >= 1) scrollBy(shift);
  });
}

/** A page too short to scroll that far gets padding at its end until a change needs none. */
function scrollBy(shift: number): void {
  const top = window.scrollY + shift;
  document.body.style.paddingBottom = '';
  const lack = top + window.innerHeight - document.body.offsetHeight;
  if (lack > 0) document.body.style.paddingBottom = `${lack}px`;
  window.scrollTo({ top, behavior: 'instant' });
}

/** The card under the pointer, else the field that is written in, or the focused element of a scrolled page, else the first element in view of a scrolled page; of a gap that fills, what stands before it. */
function findAnchor(): Anchor | null {
  const hovered = document.querySelector('[data-slot]:hover');
  const focused = document.activeElement === document.body ? null : document.activeElement;
  const isUsed = window.scrollY > 0 || focused?.matches('input, textarea') === true;
  const held = isUsed && focused?.closest('[data-gap]') == null ? (focused?.closest('main *') ?? null) : null;
  const element = [hovered, held].find(inView) ?? lastBeforeGap() ?? firstInView();
  return element == null ? null : { element, top: element.getBoundingClientRect().top };
}

function firstInView(): Element | null {
  if (window.scrollY === 0) return null;
  return [...document.querySelectorAll('[data-anchor]')].find(inView) ?? null;
}

/** Where a gap is in view, so that it fills downwards. */
function lastBeforeGap(): Element | null {
  const gap = document.querySelector('[data-gap]');
  if (!inView(gap)) return null;
  const isBefore = (element: Element) =>
    (gap.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
  return [...document.querySelectorAll('[data-anchor]')].findLast(isBefore) ?? null;
}

function inView(element: Element | null): element is Element {
  if (element === null) return false;
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 64 && top < window.innerHeight;
}

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
  const names = useMemo(() => new Map(state.names.map(({ id, name }) => [id, name])), [state.names]);
  const wide = view === 'evidence' || view === 'live';
  useRootAttribute('wide', wide);
  useRootAttribute('popover', paired && popover);
  useTitle(waitingCount(state), view);
  useScrollAnchor(store);
  useFocusFallback();
  usePreventStrayDrops();
  useViewScroll(view);
  useWaiting(waiting, paired && !popover, names);
  useKeyboardShortcuts(actions, requestsKey(slots));
  usePrunedDrafts(ready, state, actions);
  usePreloadedViews(paired && state.connection === 'open');
  return (
    <Told state={state} names={names}>
      <Header state={state} home={view === 'home'} actions={actions} />
      <WaitingStrip items={ready ? waiting : NOTHING} />
      {paired && (!popover || view !== 'home') ? <Views state={state} current={view} /> : null}
      <main className={wide ? 'page wide' : 'page'} id="main" tabIndex={-1}>
        <Banner state={state} actions={actions} />
        <PairingBanner news={state.pairingNews} actions={actions} />
        <Announcer slots={state.slots} />
        <StillAskedContext value={open}>{ready ? <Body {...{ route, state, actions }} /> : null}</StillAskedContext>
      </main>
      <KeyHelp />
      {paired && popover ? <PopoverFoot items={NAVIGATION} current={view} actions={actions} /> : null}
    </Told>
  );
}

/** What everything on the page may ask about. */
function Told(props: { state: PageState; names: ReadonlyMap<string, string>; children: ReactNode }): ReactNode {
  return (
    <CommandContext value={props.state.command}>
      <PopoverContext value={props.state.popover}>
        <NamesContext value={props.names}>{props.children}</NamesContext>
      </PopoverContext>
    </CommandContext>
  );
}

/** `alerts`: not in the menu bar app, which tells in its own way. */
function useWaiting(waiting: readonly Waiting[], alerts: boolean, names: ReadonlyMap<string, string>): void {
  useWaitingLink(waiting);
  useScrollToNew(waiting);
  useAlerts(
    alerts ? waiting : NOTHING,
    useMemo(() => fullNameOf(names), [names]),
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

/** Fetches the code of the other views once the first one is shown and the page has nothing to do: they open at once then, and without a host. */
function usePreloadedViews(isShown: boolean): void {
  useEffect(() => {
    if (!isShown) return undefined;
    // A view that is opened without its code tries again, and says so.
    return whenIdle(() => void loadRest().catch(() => undefined));
  }, [isShown]);
}

/** Returns a function that calls it off. Not every browser tells when it is idle. */
function whenIdle(work: () => void): () => void {
  if (typeof window.requestIdleCallback !== 'function') {
    const timer = setTimeout(work);
    return () => clearTimeout(timer);
  }
  const request = window.requestIdleCallback(work);
  return () => window.cancelIdleCallback(request);
}

// Scrolls a new view to its top, or a long one to where it was left, and moves a lost focus into it.

const RESTORED_VIEWS: ReadonlySet<string> = new Set(['home', 'activity']);

function useViewScroll(view: string): void {
  const left = useRef(new Map<string, number>());
  const shown = useRef(view);
  useLayoutEffect(() => {
    const keep = () => void left.current.set(shown.current, window.scrollY);
    window.addEventListener('scroll', keep, { passive: true });
    return () => window.removeEventListener('scroll', keep);
  }, []);
  useLayoutEffect(() => {
    if (shown.current === view) return;
    shown.current = view;
    document.body.style.paddingBottom = '';
    window.scrollTo({ top: RESTORED_VIEWS.has(view) ? (left.current.get(view) ?? 0) : 0, behavior: 'instant' });
    if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
  }, [view]);
}

const MAX_TITLE_CHARS = 160;

/** Announces new requests to screen readers, politely. Never moves the focus. */
function Announcer({ slots }: { slots: Slot[] }): ReactNode {
  const known = useRef(new Set<string>());
  const [text, setText] = useState('');
  const nameOf = useFullAgentName();
  useEffect(() => {
    const fresh = slots.filter((slot) => slot.settled === null && !known.current.has(key(slot)));
    known.current = new Set(slots.map(key));
    const last = fresh[fresh.length - 1];
    // Emptied when nothing waits, so that a screen reader does not find an old announcement.
    if (slots.every(({ settled }) => settled !== null)) setText('');
    if (last !== undefined)
      setText(fresh.length === 1 ? sentence(last, nameOf) : t('page.needs.count', { count: fresh.length }));
  }, [slots]);
  return (
    <p className="vh" role="status">
      {text}
    </p>
  );
}

function key({ card }: Slot): string {
  return `${card.id} ${card.digest}`;
}

function sentence({ card, changed }: Slot, nameOf: NameOf): string {
  const what = titleText(formatter, card.subject, { lower: true });
  const said = t('page.needs.announce', {
    who: askerKind(card.agent),
    agent: toPlainText(nameOf(card.agent), MAX_AGENT_NAME_LENGTH * 2),
    what: toPlainText(what, MAX_TITLE_CHARS),
  });
  return changed ? `${t('page.card.changed')} ${said}` : said;
}
