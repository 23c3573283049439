import type { App } from '../../native/desktop.js';

/** Every id counts that the application goes by: which one comes first can be chosen by a window class or a desktop file. */
export type NamedApp = Pick<App, 'id' | 'otherIds'>;

export function namesExcluded(excluded: readonly string[], { id, otherIds = [] }: NamedApp): boolean {
  const own = new Set([id, ...otherIds].map(plainAppId));
  return excluded.some((one) => own.has(plainAppId(one)));
}

/** How ids of applications are compared: whatever their case, with or without `.desktop`. */
export function plainAppId(id: string): string {
  return id.toLowerCase().replace(/\.desktop$/, '');
}
