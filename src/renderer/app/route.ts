/** The view shown, from the address after `#`, so that back, forward and links work. An unknown address is the home view. */
import { useSyncExternalStore } from 'react';

export type ViewRoute =
  | { view: 'home' | 'activity' | 'agents' | 'live' | 'health' | 'settings' | 'welcome' }
  | { view: 'evidence'; executionId: string };

const PLAIN = ['activity', 'agents', 'live', 'health', 'settings', 'welcome'] as const;
const EVIDENCE = /^evidence\/([0-9a-f-]{36})$/;

function parseRoute(hash: string): ViewRoute {
  const path = hash.replace(/^#\/?/, '');
  const executionId = EVIDENCE.exec(path)?.[1];
  if (executionId !== undefined) return { view: 'evidence', executionId };
  const view = PLAIN.find((one) => one === path);
  return { view: view ?? 'home' };
}

export function hrefOf(route: ViewRoute): string {
  if (route.view === 'evidence') return `#/evidence/${route.executionId}`;
  return route.view === 'home' ? '#/' : `#/${route.view}`;
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

export function useHash(): string {
  return useSyncExternalStore(subscribe, () => location.hash);
}

export function useRoute(): ViewRoute {
  return parseRoute(useHash());
}
