/** Tells the style sheets what the page shows. With `:has()` in their place every change of a long list would restyle all of it. */
import { useLayoutEffect } from 'react';

type RootAttribute = 'wide' | 'popover' | 'look' | 'firstSteps' | 'lowStrip';

/** Sets `data-…` on the root element while `on`. One component a mark. */
export function useRootAttribute(mark: RootAttribute, on: boolean): void {
  useLayoutEffect(() => {
    if (!on) return undefined;
    const { dataset } = document.documentElement;
    dataset[mark] = '';
    return () => void delete dataset[mark];
  }, [mark, on]);
}
