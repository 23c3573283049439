/** Decides which blocks of a long list are rendered: visible ones at once, near ones one in a frame, so that no frame has much to do. */
import { flushSync } from 'react-dom';
import { memo, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { onScrollOrResize } from './window-events.js';

/** How far beyond the window blocks are rendered: in the direction of scrolling, and in the other. */
const AHEAD_PX = 1_000;
const BEHIND_PX = 300;
/** Blocks this much farther ahead are prepared. */
const PREPARE_PX = 1_000;
/** Blocks farther away than this are emptied. */
const FAR_PX = 1_300;
/** The first frames of scrolling render only what is seen: the browser has most to do in them. */
const FIRST_FRAMES = 3;
/** Far blocks that may stay while the page scrolls and nothing else changes; the rest are emptied when it has stopped. */
const MAX_FAR_BLOCKS = 40;
const STOPPED_MS = 300;
/** The same for sections. */
const SECTION_AHEAD_PX = 3_000;
const SECTION_FAR_PX = 6_000;

interface Block {
  element: HTMLElement;
  /** A section is made of blocks. */
  level: 'section' | 'block';
  rendered: boolean;
  /** Called within flushSync. */
  show(rendered: boolean): void;
  /** Called once before it is shown, in an earlier frame. */
  prepare(): void;
  prepared: boolean;
}

export interface VirtualList {
  /** Returns a function that removes it. */
  add(block: Block): () => void;
}

interface Scroll {
  top: number;
  isUpwards: boolean;
  /** Consecutive frames in which it has moved. */
  moves: number;
}

/** One per list. Listens while there are blocks. */
export function createVirtualList(): VirtualList {
  const blocks = new Set<Block>();
  /** Computed again when blocks were added or removed. */
  let ordered: Ordered | null = null;
  let scroll: Scroll = { top: 0, isUpwards: false, moves: 0 };
  let frame = 0;
  let stopped: ReturnType<typeof setTimeout> | undefined;
  let stop: (() => void) | null = null;

  const scheduleStep = () => {
    if (frame === 0) frame = requestAnimationFrame(step);
  };
  const inOrder = () => (ordered ??= orderOf(blocks));

  function step(): void {
    frame = 0;
    const top = window.scrollY;
    const isMoving = top !== scroll.top;
    scroll = { top, moves: isMoving ? scroll.moves + 1 : 0, isUpwards: isMoving ? top < scroll.top : scroll.isUpwards };
    if (isMoving) {
      clearTimeout(stopped);
      // Not in a frame: the first one of further scrolling has enough to do.
      stopped = setTimeout(() => change([], inOrder().block.filter(isFarAway(FAR_PX))), STOPPED_MS);
    }
    if (stepSections(inOrder().section)) scheduleStep();
    // Sections that were just rendered have added their blocks.
    if (stepBlocks(inOrder().block, scroll)) scheduleStep();
  }

  return {
    add(block) {
      blocks.add(block);
      ordered = null;
      stop ??= onScrollOrResize(scheduleStep);
      scheduleStep();
      return () => {
        blocks.delete(block);
        ordered = null;
        if (blocks.size > 0) return;
        cancelAnimationFrame(frame);
        clearTimeout(stopped);
        frame = 0;
        stop?.();
        stop = null;
      };
    },
  };
}

/** In document order, which is also from top to bottom. */
type Ordered = Record<Block['level'], Block[]>;

function orderOf(blocks: ReadonlySet<Block>): Ordered {
  const byElement = new Map<Element, Block>([...blocks].map((block) => [block.element, block]));
  const all = [...document.querySelectorAll('[data-block]')].flatMap((element) => byElement.get(element) ?? []);
  return {
    section: all.filter(({ level }) => level === 'section'),
    block: all.filter(({ level }) => level === 'block'),
  };
}

/** Returns whether something changed. */
function stepSections(all: Block[]): boolean {
  if (!isShown(all)) return false;
  return change(within(all, SECTION_AHEAD_PX, SECTION_AHEAD_PX).filter(isEmpty), all.filter(isFarAway(SECTION_FAR_PX)));
}

/** Whether a further step may have something to do. */
function stepBlocks(all: Block[], scroll: Scroll): boolean {
  if (!isShown(all)) return false;
  const isMoving = scroll.moves > 0;
  const seen = within(all, 0, 0).filter(isEmpty);
  if (seen.length === 0 && isMoving && scroll.moves <= FIRST_FRAMES) return true;
  const shown = seen.length > 0 ? seen : nearestEmpty(all, scroll);
  const far = all.filter(isFarAway(FAR_PX));
  // A frame in which nothing changes costs least: what is far waits for one with a change, or for the end of the scrolling.
  const hidden = shown.length === 0 ? [] : far.slice(0, shown.length + 1);
  if (change(shown, [...hidden, ...far.slice(hidden.length + MAX_FAR_BLOCKS)])) return true;
  if (isMoving) prepareNext(all, scroll);
  return isMoving;
}

/** Prepares one block. */
function prepareNext(all: Block[], { isUpwards }: Scroll): void {
  const px = AHEAD_PX + PREPARE_PX;
  const ahead = isUpwards ? within(all, px, -window.innerHeight).toReversed() : within(all, -window.innerHeight, px);
  const next = ahead.find(({ rendered, prepared }) => !rendered && !prepared);
  if (next === undefined) return;
  next.prepared = true;
  next.prepare();
}

/** A hidden list has no position. */
const isShown = ([first]: Block[]): boolean => first?.element.checkVisibility() === true;

function change(shown: Block[], hidden: Block[]): boolean {
  if (shown.length === 0 && hidden.length === 0) return false;
  const set = (block: Block, rendered: boolean) => {
    block.rendered = rendered;
    block.prepared = false;
    block.show(rendered);
  };
  flushSync(() => {
    for (const block of shown) set(block, true);
    for (const block of hidden) set(block, false);
  });
  return true;
}

/** One at most. */
function nearestEmpty(all: Block[], { isUpwards }: Scroll): Block[] {
  const above = within(all, isUpwards ? AHEAD_PX : BEHIND_PX, -window.innerHeight)
    .filter(isEmpty)
    .toReversed();
  const below = within(all, -window.innerHeight, isUpwards ? BEHIND_PX : AHEAD_PX).filter(isEmpty);
  return (isUpwards ? [...above, ...below] : [...below, ...above]).slice(0, 1);
}

const isEmpty = ({ rendered }: Block): boolean => !rendered;

/** A block with the focus never counts as far: emptying it would lose the focus. */
const isFarAway =
  (px: number) =>
  ({ rendered, element }: Block): boolean => {
    if (!rendered || element.contains(document.activeElement)) return false;
    const { top, bottom } = element.getBoundingClientRect();
    return bottom < -px || top > window.innerHeight + px;
  };

/** Blocks in the window, extended by `above` and `below` pixels. */
function within(all: Block[], above: number, below: number): Block[] {
  const from = search(all, ({ bottom }) => bottom > -above);
  const to = search(all, ({ top }) => top >= window.innerHeight + below);
  return all.slice(from, to);
}

function search(all: Block[], isReached: (block: DOMRect) => boolean): number {
  let [from, to] = [0, all.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const block = all[middle];
    if (block === undefined || isReached(block.element.getBoundingClientRect())) to = middle;
    else from = middle + 1;
  }
  return from;
}

// A part of a virtual list: rendered while near the window, otherwise an empty box of the same height.

/** Height of the sticky header. */
const HEADER_PX = 56;

interface Props {
  id: string;
  /** A section contains only blocks. */
  level: Block['level'];
  list: VirtualList;
  /** Of blocks as they were last rendered. */
  heights: Map<string, number>;
  /** Height before it was first rendered. */
  estimatedPx: number;
  initiallyRendered?: boolean;
  alwaysRendered?: boolean;
  className?: string;
  /** Not announced to screen readers when it is rendered. */
  silent?: boolean;
  /** It renders again only when one of these changed. */
  dependencies: readonly unknown[];
  children(): ReactNode;
  /** Called once before it is rendered, in an earlier frame. */
  prepare?(): void;
}

export const VirtualBlock = memo(function VirtualBlock({
  id,
  level,
  list,
  heights,
  estimatedPx,
  initiallyRendered = false,
  alwaysRendered = false,
  className,
  silent = false,
  children,
  prepare,
}: Props): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(initiallyRendered);
  const rendered = near || alwaysRendered;
  const assumed = heights.get(id) ?? estimatedPx;
  const first = useRef(initiallyRendered);
  const prepareLatest = useRef(prepare);
  prepareLatest.current = prepare;

  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const show = (isNear: boolean) => {
      if (!isNear) heights.set(id, element.getBoundingClientRect().height);
      setNear(isNear);
    };
    return list.add({
      element,
      level,
      rendered: first.current,
      show,
      prepared: false,
      prepare: () => prepareLatest.current?.(),
    });
  }, [id, level, list, heights]);

  // A block rendered above what the person reads must not move that when its height was not the assumed one.
  const before = useRef(rendered ? null : assumed);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || !rendered) {
      before.current = assumed;
      return;
    }
    const { top, height } = element.getBoundingClientRect();
    const shift = before.current === null ? 0 : height - before.current;
    before.current = null;
    heights.set(id, height);
    if (Math.abs(shift) >= 1 && top < HEADER_PX) window.scrollBy({ top: shift, behavior: 'instant' });
  }, [rendered, assumed, id, heights]);
  useKeptHeight(level, id, box, heights);

  return (
    <div
      ref={box}
      className={className}
      data-block={rendered ? 'drawn' : 'empty'}
      aria-live={silent ? 'off' : undefined}
      style={rendered ? undefined : { height: assumed }}
    >
      {rendered ? children() : null}
    </div>
  );
}, sameBlock);

/** A section grows with its blocks: what was measured when it was rendered would move the list when that is shown again. */
function useKeptHeight(
  level: Block['level'],
  id: string,
  box: { readonly current: HTMLElement | null },
  heights: Map<string, number>,
): void {
  useLayoutEffect(() => {
    const element = box.current;
    if (level !== 'section' || element === null) return undefined;
    return () => void heights.set(id, element.getBoundingClientRect().height);
  }, [level, id, box, heights]);
}

function sameBlock(one: Props, other: Props): boolean {
  const { dependencies, children: _, prepare: _prepare, ...rest } = one;
  const { dependencies: otherOf, children: _other, prepare: _otherPrepare, ...otherRest } = other;
  return same(dependencies, otherOf) && same(Object.values(rest), Object.values(otherRest));
}

function same(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}
