import { useEffect } from 'react';
import { loadRest } from './views.js';

/** Fetches the code of the other views once the first one is shown and the page has nothing to do: they open at once then, and without a host. */
export function usePreloadedViews(isShown: boolean): void {
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
