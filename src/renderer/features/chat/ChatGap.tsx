/** Where messages between an older part of the conversation and the newest are left out: more of them come as it is reached. */
import { useEffect, useRef, useState, type ReactElement, type ReactNode, type RefObject } from 'react';
import type { Actions } from '../../app/actions.js';
import type { PageState } from '../../state/state.js';
import { t } from '../../strings.js';
import { Button } from '../../ui/Button.js';
import { lastOf } from './follow-newest.js';

/** With the gap this near below the window, more comes. */
const AHEAD_PX = 1_200;
/** Under the header. */
const HEADER_PX = 64;

interface Options {
  list: RefObject<HTMLElement | null>;
  state: PageState;
  actions: Actions;
}

interface ChatGapParts {
  gap: ReactElement | null;
  /** In view wherever the person reads. */
  toNewest: ReactNode;
}

export function useChatGap({ list, state, actions }: Options): ChatGapParts {
  const [asking, setAsking] = useState<'no' | 'yes' | 'failed'>('no');
  const mark = useRef<HTMLDivElement>(null);
  const goToNewest = useGoToNewest(list, actions);
  const isOpen = state.gap !== null;
  const online = state.connection === 'open';

  function loadLater(): void {
    if (asking === 'yes' || !online) return;
    setAsking('yes');
    actions.loadLater().then(
      () => setAsking('no'),
      () => setAsking('failed'),
    );
  }

  useScrolled(isOpen && online, () => {
    // A hidden one has no place.
    if (mark.current?.checkVisibility() !== true) return;
    const place = mark.current.getBoundingClientRect();
    // Past it, the newest messages are read, and the way back begins there.
    if (place.bottom < HEADER_PX) actions.toNewest();
    else if (place.top < window.innerHeight + AHEAD_PX && asking === 'no') loadLater();
  });

  if (!isOpen) return { gap: null, toNewest: null };
  const words = asking === 'yes' ? 'page.list.loading' : asking === 'failed' ? 'page.list.again' : 'page.chat.later';
  return {
    gap: (
      <div key="gap" ref={mark} className="chat-gap" aria-live="off" data-gap>
        <span className="mut small">{t('page.chat.gap')}</span>
        <Button variant="sm" disabled={asking === 'yes' || !online} onClick={loadLater}>
          {t(words)}
        </Button>
      </div>
    ),
    toNewest: (
      <p className="to-newest">
        <Button variant="sm" icon="down" onClick={goToNewest}>
          {t('page.chat.newest')}
        </Button>
      </p>
    ),
  };
}

/** Scrolls to the end once the newest part follows what is shown. Runs after what keeps the place, so that it has the last word. */
function useGoToNewest(list: RefObject<HTMLElement | null>, { toNewest }: Actions): () => void {
  const going = useRef(false);
  useEffect(() => {
    if (!going.current) return;
    going.current = false;
    lastOf(list.current)?.scrollIntoView({ block: 'end', behavior: 'instant' });
    list.current?.closest('section')?.focus({ preventScroll: true });
  });
  return () => {
    going.current = true;
    toNewest();
  };
}

function useScrolled(wanted: boolean, then: () => void): void {
  const latest = useRef(then);
  useEffect(() => {
    latest.current = then;
  });
  useEffect(() => {
    if (!wanted) return undefined;
    const look = () => latest.current();
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, [wanted]);
}
