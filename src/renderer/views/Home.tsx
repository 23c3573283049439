/** The start: what needs you, then the conversation, then what happened. Empty, it teaches. */
import { useEffect, type ReactNode } from 'react';
import { ActivityList } from '../components/ActivityList.js';
import { Conversation } from '../components/Conversation.js';
import { FirstRun } from '../components/FirstRun.js';
import { Needs } from '../components/Needs.js';
import { isFresh } from '../state/select.js';
import type { ViewProps } from './views.js';

export function Home({ state, actions }: ViewProps): ReactNode {
  useArrival();
  if (isFresh(state)) return <FirstRun hero />;
  return (
    <>
      <Needs state={state} actions={actions} />
      <Conversation state={state} actions={actions} />
      <ActivityList state={state} />
    </>
  );
}

/** A link from another view to one region of this one: the browser looked for it before it was there. */
function useArrival(): void {
  useEffect(() => {
    const region = /^#[a-z]+$/.test(location.hash) ? document.querySelector<HTMLElement>(location.hash) : null;
    region?.scrollIntoView({ behavior: 'instant' });
    region?.focus({ preventScroll: true });
  }, []);
}
