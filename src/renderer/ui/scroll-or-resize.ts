/** Calls `listener` when the page scrolls, or it or the window changes its size. Returns a function that stops it. */
export function onScrollOrResize(listener: () => void): () => void {
  const sizes = new ResizeObserver(listener);
  sizes.observe(document.body);
  window.addEventListener('scroll', listener, { passive: true });
  window.addEventListener('resize', listener);
  return () => {
    sizes.disconnect();
    window.removeEventListener('scroll', listener);
    window.removeEventListener('resize', listener);
  };
}
