/** The waiting requests, oldest first; the calls queued behind them; and for a while the answered ones. */
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import type { Actions } from '../../app/actions.js';
import type { PageState, Slot, Settled } from '../../state/state.js';
import { t } from '../../strings.js';
import { cardsOf, queuedBehind, countEnded, openSlots, shownWith } from '../../state/select.js';
import { QueuedCalls } from './QueuedCalls.js';
import { useAfterPress, useFocusOnEnd } from '../../ui/window-events.js';
import { FoldButton } from '../../ui/Button.js';
import { ApprovalCard } from './ApprovalCard.js';
import { TogetherCard } from './TogetherCard.js';
import type { Card } from '../../../main/protocol/index.js';
import { countdown, useNow } from '../../ui/formats.js';
import { cardTone, effectIcon, isRed } from '../../ui/effects.js';
import { AskedFor, AskerName, TitleText, wantsTo } from './CardHead.js';
import { Icon, type IconName } from '../../ui/Icon.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { useDraft } from '../chat/drafts.js';

/** How long answered requests stay once neither pointer nor focus is in the list. */
const CLEAR_AFTER_MS = 12_000;

export function RequestList({ state, actions }: { state: PageState; actions: Actions }): ReactNode {
  const region = useRef<HTMLElement>(null);
  const [occupied, setOccupied] = useState(false);
  /** Id of the answered request with the focus; it keeps its place. */
  const [focused, setFocused] = useState<string | null>(null);
  const { slots } = state;
  const { shown, folded, onUnfold } = usePlacedSlots(state, occupied, focused);
  useClearAnswered(state, occupied, actions);
  useIgnoredSecondClick(slots);
  useLeftWhenHidden(setOccupied);
  const afterPress = useAfterPress();

  /** A pointer anywhere here, or the focus in a request that waits; what was answered only keeps the focus from being lost. */
  const updateOccupied = (target: EventTarget | null, pointed: boolean) => {
    const slot = target instanceof Element ? target.closest<HTMLElement>('#needs [data-slot]') : null;
    setFocused(slot?.dataset['request'] ?? null);
    setOccupied(pointed || slot?.dataset['slot'] === 'open');
  };
  const isHovered = () => region.current?.matches(':hover') === true;
  const pointerLeft = () => afterPress(() => updateOccupied(document.activeElement, isHovered()));
  usePointerOutside(region, occupied, pointerLeft);
  if (slots.length === 0) return null;
  return (
    <section
      ref={region}
      id="needs"
      className="region"
      aria-labelledby="h-needs"
      tabIndex={-1}
      onPointerEnter={() => setOccupied(true)}
      onPointerLeave={pointerLeft}
      onFocus={({ target }) => afterPress(() => updateOccupied(target, isHovered()))}
      onBlur={({ relatedTarget }) => afterPress(() => updateOccupied(relatedTarget, isHovered()))}
    >
      <Heading slots={slots} />
      {shown.map((slot) => (
        <RequestSlot
          key={slot.card.id}
          slots={shownWith(slots, slot)}
          online={state.connection === 'open'}
          onUnfold={onUnfold(slot)}
          actions={actions}
        />
      ))}
      <QueuedCalls queued={queuedBehind(state.status.agents)} />
      {folded.length > 1 ? <AnsweredRequests slots={folded} /> : null}
    </section>
  );
}

function usePlacedSlots(state: PageState, occupied: boolean, focused: string | null) {
  const [unfolded, setUnfolded] = useState<readonly string[]>([]);
  const slots = cardsOf(state.slots);
  const popover = state.popover === 'here';
  const first = slots.findIndex((slot) => slot.settled === null);
  const isFolded = (slot: Slot) => popover && slot !== slots[first] && !unfolded.includes(slot.card.id);
  const unfold = (id: string) => {
    setUnfolded([...unfolded, id]);
    // The button that had the focus goes.
    document.getElementById(`t-${id}`)?.closest('article')?.focus({ preventScroll: true });
  };
  const hasRoom = !popover || first === -1;
  const lines = useAnsweredLines(slots, occupied, (slot) => hasRoom && slot.card.id === focused);
  const hasOwnLine = (slot: Slot) => slot.settled === null || lines.has(slot.card.id);
  const finished = slots.filter((slot) => !hasOwnLine(slot));
  // The popover has no room for answered requests beside waiting ones.
  const folded = hasRoom ? finished : [];
  const [only = null] = folded.length === 1 ? folded : [];
  const shown = [...slots.filter(hasOwnLine), ...(only === null ? [] : [only])];
  return {
    shown,
    /** Answered, and listed in one line. */
    folded,
    onUnfold: (slot: Slot): (() => void) | null => (isFolded(slot) ? () => unfold(slot.card.id) : null),
  };
}

/** React reports no pointerleave where the element under the pointer was removed before, as the buttons of an answered request are. */
function usePointerOutside(region: RefObject<HTMLElement | null>, occupied: boolean, onOutside: () => void): void {
  useEffect(() => {
    if (!occupied) return undefined;
    const over = ({ target }: PointerEvent): void => {
      if (target instanceof Node && region.current?.contains(target) === false) onOutside();
    };
    document.addEventListener('pointerover', over);
    return () => document.removeEventListener('pointerover', over);
  });
}

const SECOND_CLICK_MS = 500;

/** What moves under a pointer at rest as a card folds is not meant by the second click of a double click. */
function useIgnoredSecondClick(slots: readonly Slot[]): void {
  const answered = slots.filter(({ settled }) => settled !== null).length;
  const pressed = useRef('');
  useEffect(() => {
    const remember = (event: PointerEvent) => {
      pressed.current = screenPlace(event);
    };
    window.addEventListener('pointerdown', remember, { capture: true });
    return () => window.removeEventListener('pointerdown', remember, { capture: true });
  }, []);
  useLayoutEffect(() => {
    if (answered === 0) return undefined;
    const at = pressed.current;
    const ignore = (event: MouseEvent) => {
      if (screenPlace(event) !== at || (event.target instanceof Element && event.target.closest('.pair') !== null))
        return;
      event.preventDefault();
      event.stopPropagation();
    };
    const end = () => window.removeEventListener('click', ignore, { capture: true });
    window.addEventListener('click', ignore, { capture: true });
    const timer = setTimeout(end, SECOND_CLICK_MS);
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [answered]);
}

const screenPlace = ({ screenX, screenY }: MouseEvent): string => `${screenX} ${screenY}`;

/** Clears answered requests once neither pointer nor focus is in the list. */
function useClearAnswered({ slots, status, connection }: PageState, occupied: boolean, actions: Actions): void {
  const answered = slots.some((slot) => slot.settled !== null);
  const canClear = !occupied && status.state !== 'paused' && connection === 'open' && answered;
  useEffect(() => {
    if (!canClear) return undefined;
    const timer = setTimeout(actions.clearAnswered, CLEAR_AFTER_MS);
    return () => clearTimeout(timer);
  }, [canClear, slots, actions]);
}

/** A hidden page counts as unoccupied. */
function useLeftWhenHidden(setOccupied: (occupied: boolean) => void): void {
  useEffect(() => {
    const onHidden = () => document.visibilityState === 'hidden' && setOccupied(false);
    document.addEventListener('visibilitychange', onHidden);
    return () => document.removeEventListener('visibilitychange', onHidden);
  }, [setOccupied]);
}

function Heading({ slots }: { slots: Slot[] }): ReactNode {
  const open = openSlots(slots).length;
  return (
    <div className="region-h needs-h">
      <h2 id="h-needs">{heading(slots)}</h2>
      {open > 0 ? (
        <span className="count num" title={t('page.needs.count', { count: open })}>
          {open}
        </span>
      ) : null}
    </div>
  );
}

function heading(slots: Slot[]): string {
  if (slots.some((slot) => slot.settled === null)) return t('page.needs.heading');
  const stopped = slots.every(({ settled }) => settled?.reason === 'stopped' || settled?.reason === 'paused');
  return stopped ? t('page.needs.stopped') : t('page.needs.after');
}

// Which answered requests keep a line of their own, so that nothing moves under a pointer about to press.

/**
 * The answered requests that keep a line of their own in their place: those that `mustStay`. Decided anew when a request comes or
 * ends, and otherwise only while the person is not here: a line that goes would move the card that is about to be pressed.
 */
function useAnsweredLines(
  slots: readonly Slot[],
  occupied: boolean,
  mustStay: (slot: Slot) => boolean,
): ReadonlySet<string> {
  const kept = useRef<{ slotsKey: string; ids: ReadonlySet<string> }>({ slotsKey: '', ids: new Set() });
  const slotsKey = slots.map(({ card, settled }) => `${card.id} ${settled === null}`).join();
  if (!occupied || kept.current.slotsKey !== slotsKey) {
    const staying = slots.filter((slot) => slot.settled !== null && mustStay(slot));
    kept.current = { slotsKey, ids: new Set(staying.map(({ card }) => card.id)) };
  }
  return kept.current.ids;
}

// Ended requests, folded to one line.

function AnsweredRequests({ slots }: { slots: readonly Slot[] }): ReactNode {
  const [open, setOpen] = useState(false);
  const { answered, unanswered } = countEnded(slots);
  const parts = [
    ...(answered > 0 ? [t('page.needs.answered', { count: answered })] : []),
    ...(unanswered > 0 ? [t('page.needs.unanswered', { count: unanswered })] : []),
  ];
  return (
    <div className="answered" data-fold={open ? 'open' : 'closed'}>
      <FoldButton open={open} label={parts.join(t('page.marks.comma'))} onToggle={() => setOpen(!open)} />
      {open ? (
        <ul className="plain">
          {slots.map(({ card, settled }) => (
            <li key={card.id}>{settled === null ? null : <AnsweredRequest card={card} settled={settled} />}</li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

// A request in its place. The same element holds the card and later its result, so that focus and place survive the answer.

interface Props {
  /** Those that are shown as one. */
  slots: readonly [Slot, ...Slot[]];
  online: boolean;
  /** It is folded to one line until this is called; null: never folded. */
  onUnfold: (() => void) | null;
  actions: Actions;
}

function RequestSlot({ slots, online, onUnfold, actions }: Props): ReactNode {
  const article = useRef<HTMLElement>(null);
  const [slot] = slots;
  const { card, settled } = slot;
  useFocusOnEnd(article, settled !== null);
  const folded = onUnfold !== null && settled === null;
  const danger = isRed(card) && settled === null && !folded;
  return (
    <article
      ref={article}
      className={settled !== null ? 'answered-slot' : folded ? 'fold-slot' : `card${danger ? ' danger' : ''}`}
      data-slot={settled === null ? 'open' : 'done'}
      data-request={card.id}
      data-anchor
      data-effect={card.effect}
      aria-labelledby={`t-${card.id}`}
      tabIndex={-1}
    >
      {folded ? (
        <FoldedRequest card={card} count={slots.length} online={online} onOpen={onUnfold} />
      ) : slots.length > 1 ? (
        <TogetherCard slots={slots} online={online} actions={actions} />
      ) : settled === null ? (
        <ApprovalCard slot={slot} online={online} actions={actions} />
      ) : (
        <AnsweredRequest card={card} settled={settled} />
      )}
    </article>
  );
}

// In the popover: a waiting request behind the first one, folded to one line.

interface FoldedProps {
  card: Card;
  count: number;
  online: boolean;
  onOpen(): void;
}

function FoldedRequest({ card, count, online, onOpen }: FoldedProps): ReactNode {
  const left = Date.parse(card.expiresAt) - useNow(online);
  return (
    <button type="button" className="fold" aria-expanded={false} data-part="exact" onClick={onOpen}>
      <Icon name={effectIcon(card)} tone={cardTone(card)} />
      <span className="trunc" id={`t-${card.id}`}>
        <b>
          <AskerName agent={card.agent} />
        </b>{' '}
        {wantsTo(card.agent)} <AskedFor card={card} count={count} />
      </span>
      <span className="end num dim">{countdown(left)}</span>
    </button>
  );
}

interface AnsweredProps {
  card: Card;
  settled: Settled;
  titleId?: string;
}

/** The result of an answered card: who, what, and how it ended. */
export function AnsweredRequest({ card, settled, titleId = `t-${card.id}` }: AnsweredProps): ReactNode {
  const { icon, tone, words } = ending(settled);
  const [draft] = useDraft('denial', card.id);
  const unsent = draft.trim() !== (settled.message ?? '') ? draft.trim() : '';
  return (
    <div className={unsent === '' ? 'answered-request' : 'answered-request with-unsent'}>
      <Icon name={effectIcon(card)} />
      <span id={titleId}>
        <b>
          <AskerName agent={card.agent} />
        </b>
        {t('page.marks.comma')}
        <TitleText subject={card.subject} lower />
      </span>
      <span className={`end out ${tone}`}>
        <Icon name={icon} />
        {words}
      </span>
      {unsent === '' ? null : (
        <p className="small mut unsent">
          <RevealedText text={t('page.answered.unsent', { text: unsent })} />
        </p>
      )}
    </div>
  );
}

function ending(settled: Settled): { icon: IconName; tone: string; words: string } {
  if (settled.decision === 'allow')
    return { icon: 'check', tone: 'ok', words: t('page.answered.allowed') + where(settled.by) };
  if (settled.reason === 'timeout') return { icon: 'clock', tone: '', words: t('page.answered.timeout') };
  if (settled.reason === 'withdrawn') return { icon: 'minus', tone: '', words: t('page.answered.withdrawn') };
  if (settled.reason === 'gone') return { icon: 'minus', tone: '', words: t('page.answered.gone') };
  return { icon: 'x', tone: '', words: t('page.answered.denied') + where(settled.by) };
}

function where(by: string): string {
  return by === 'popover' ? t('page.answered.elsewhere') : '';
}
