/** Attributes on the root element for the style sheets. With `:has()` instead, every change of a long list would restyle all of it. */
import { useLayoutEffect } from 'react';

type RootAttribute = 'wide' | 'popover' | 'fullPicture' | 'firstSteps' | 'lowStrip';

/** Sets `data-…` on the root element while `on`. Each attribute belongs to one component. */
export function useRootAttribute(mark: RootAttribute, on: boolean): void {
  useLayoutEffect(() => {
    if (!on) return undefined;
    const { dataset } = document.documentElement;
    dataset[mark] = '';
    return () => void delete dataset[mark];
  }, [mark, on]);
}
