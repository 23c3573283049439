import type { App } from '../../native/desktop.js';

/** All ids of an application count, because the application itself can choose its main id (window class, desktop file). */
export type NamedApp = Pick<App, 'id' | 'otherIds'>;

export function isExcludedApp(excluded: readonly string[], { id, otherIds = [] }: NamedApp): boolean {
  const own = new Set([id, ...otherIds].map(normalizeAppId));
  return excluded.some((one) => own.has(normalizeAppId(one)));
}

/** Lower case without `.desktop`, to compare application ids. */
export function normalizeAppId(id: string): string {
  return id.toLowerCase().replace(/\.desktop$/, '');
}
