/** How far back the conversation is shown. Older turns are added on request or on scrolling up, without moving what is read. */
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { Turn } from '../../state/select.js';
import { isInGap, SECTION_NUMBERS } from '../../state/chat-window.js';
import type { PageState } from '../../state/state.js';

/** Turns shown at first, and added at a time. */
export const TURNS_PER_STEP = 60;
/** Consecutive numbers of one block; a fixed grid, so that no turn changes its block. */
const BLOCK_NUMBERS = 2;
/** Scrolled up to within this many pixels of the first turn, older ones come. */
const AHEAD_PX = 800;
/** Under the header. */
const HEADER_PX = 64;

interface Anchor {
  element: Element;
  top: number;
}

interface ShownTurnsOptions {
  all: Turn[];
  state: Pick<PageState, 'since' | 'gap' | 'connection' | 'slots'>;
  list: RefObject<HTMLElement | null>;
  loadEarlier(): Promise<void>;
}

export function useShownTurns({ all, state, list, loadEarlier }: ShownTurnsOptions) {
  /** The number of the first turn shown; null: the newest part. */
  const [floor, setFloor] = useState<number | null>(null);
  const [asking, setAsking] = useState<'no' | 'yes' | 'failed'>('no');
  const anchors = useRef<readonly Anchor[]>([]);
  const lastTop = useRef(0);
  const isKept = ({ message: { seq } }: Turn) => seq > state.since && !isInGap(state.gap, seq);
  const whole = all.filter((turn) => isKept(turn) || isWaiting(turn));
  const first = whole.findIndex((turn) => turn.message.seq >= (floor ?? Infinity));
  const from = floor === null ? Math.max(0, whole.length - TURNS_PER_STEP) : first === -1 ? 0 : first;
  const older = whole.slice(0, from).filter((turn) => turn.message.seq > state.since).length;

  function showOlder(): void {
    anchors.current = visibleAnchors(list.current);
    const first = whole[Math.max(0, from - TURNS_PER_STEP)];
    // Whole sections: what is rendered above the person's place must not grow later.
    setFloor(first === undefined ? 0 : sectionOf(first) * SECTION_NUMBERS);
  }

  function showEarlier(): void {
    if (older > 0) return showOlder();
    if (state.since === 0 || asking === 'yes' || state.connection !== 'open') return;
    setAsking('yes');
    // Older turns are not shown before the anchors are read.
    setFloor(whole[from]?.message.seq ?? null);
    loadEarlier().then(
      () => setAsking('no'),
      () => setAsking('failed'),
    );
  }

  useLayoutEffect(() => {
    const kept = anchors.current.find(({ element }) => element.isConnected);
    anchors.current = [];
    if (kept === undefined) return;
    const shift = kept.element.getBoundingClientRect().top - kept.top;
    if (Math.abs(shift) < 1) return;
    window.scrollBy({ top: shift, behavior: 'instant' });
    // Who goes to the top again within the same frame makes no event of this step.
    lastTop.current = window.scrollY;
  }, [floor]);

  const recalled = useRef(false);
  useEffect(() => {
    if (asking === 'yes') recalled.current = true;
    else if (recalled.current) {
      recalled.current = false;
      if (older > 0) showOlder();
    }
  });

  useScrolledUp(lastTop, () => {
    // While a request above is off screen, scrolling up stops at it instead of loading older turns.
    if (state.slots.length > 0 || asking === 'failed') return;
    const top = list.current?.getBoundingClientRect().top ?? -Infinity;
    if (top > -AHEAD_PX) showEarlier();
  });

  return {
    /** Shown, oldest first: those from some turn on, and questions that wait however old. */
    turns: whole.filter((turn, index) => index >= from || isWaiting(turn)),
    /** How many more the next step shows; 0: there are no older ones; null: the host is asked for them. */
    earlier: older > 0 ? Math.min(TURNS_PER_STEP, older) : state.since === 0 ? 0 : null,
    loading: asking === 'yes',
    failed: asking === 'failed',
    showEarlier,
  };
}

function useScrolledUp(last: RefObject<number>, then: () => void): void {
  const latest = useRef(then);
  useLayoutEffect(() => {
    latest.current = then;
  });
  useEffect(() => {
    last.current = window.scrollY;
    const look = () => {
      const up = window.scrollY < last.current;
      last.current = window.scrollY;
      if (up) latest.current();
    };
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, [last]);
}

/** The first turn in view; then the first block, because the turn's may be put away in the same moment. */
function visibleAnchors(list: HTMLElement | null): Anchor[] {
  return ['[data-anchor]', '[data-block]'].flatMap((selector) => {
    const all = [...(list?.querySelectorAll(selector) ?? [])];
    const element = all.find((one) => one.getBoundingClientRect().bottom > HEADER_PX) ?? all[0];
    return element === undefined ? [] : [{ element, top: element.getBoundingClientRect().top }];
  });
}

export function blockOf({ message }: Turn): number {
  return Math.floor(message.seq / BLOCK_NUMBERS);
}

export function sectionOf({ message }: Turn): number {
  return Math.floor(message.seq / SECTION_NUMBERS);
}

export function isWaiting(turn: Turn): boolean {
  return turn.kind === 'agent' && turn.state === 'waiting';
}
