/** A part of a virtual list: rendered while near the window, otherwise an empty box of the same height. */
import { memo, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import type { Block, VirtualList } from './virtual-list.js';

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
