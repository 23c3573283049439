/** Part of a long list: drawn while it is near what the person sees, an empty box of the same height otherwise. */
import { memo, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';

/** How far beyond the window things are kept drawn. */
const NEAR = '1200px 0px';
/** Under the sticky header. */
const COVERED = 56;

interface Props {
  id: string;
  /** Of blocks as they were last drawn. */
  heights: Map<string, number>;
  /** Height while it was never drawn, in pixels. */
  guess: number;
  /** Drawn from the start, as what was just asked for. */
  shown?: boolean;
  /** Always drawn: something in it is wanted. */
  keep?: boolean;
  className?: string;
  /** Not told as news, however late it is drawn. */
  quiet?: boolean;
  /** All that its content depends on: a list of hundreds renders only the blocks in which something changed. */
  of: readonly unknown[];
  children(): ReactNode;
}

export const LongBlock = memo(function LongBlock({
  id,
  heights,
  guess,
  shown = false,
  keep = false,
  className,
  quiet = false,
  children,
}: Props): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const [seen, setNear] = useState(shown);
  const near = seen || keep;
  const assumed = heights.get(id) ?? guess;

  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        const isNear = entries.at(-1)?.isIntersecting ?? false;
        if (isNear) return setNear(true);
        heights.set(id, element.getBoundingClientRect().height);
        // What has the focus stays, or the focus would be lost.
        if (!element.contains(document.activeElement)) setNear(false);
      },
      { rootMargin: NEAR },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [id, heights]);

  // Drawn above what the person reads, it must not move that by being higher or lower than assumed.
  const before = useRef(near ? null : assumed);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || !near) {
      before.current = assumed;
      return;
    }
    const { top, height } = element.getBoundingClientRect();
    const shift = before.current === null ? 0 : height - before.current;
    before.current = null;
    heights.set(id, height);
    if (Math.abs(shift) >= 1 && top < COVERED) window.scrollBy({ top: shift, behavior: 'instant' });
  }, [near, assumed, id, heights]);

  return (
    <div
      ref={box}
      className={className}
      data-block={near ? 'drawn' : 'empty'}
      aria-live={quiet ? 'off' : undefined}
      style={near ? undefined : { height: assumed }}
    >
      {near ? children() : null}
    </div>
  );
}, sameBlock);

function sameBlock(one: Props, other: Props): boolean {
  const { of, children: _, ...rest } = one;
  const { of: otherOf, children: _other, ...otherRest } = other;
  return same(of, otherOf) && same(Object.values(rest), Object.values(otherRest));
}

function same(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}
