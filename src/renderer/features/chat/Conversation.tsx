/** The conversation with all agents, oldest first. It scrolls with the page, and follows new messages only at its end. */
import { useMemo, useRef, type ReactNode, useEffect, useState, type ReactElement, type RefObject } from 'react';
import type { Actions } from '../../app/actions.js';
import { TURNS_PER_STEP, useShownTurns } from './shown-turns.js';
import { busyAgents, turns, type Turn, openSlots } from '../../state/select.js';
import type { PageState } from '../../state/state.js';
import { useAgentName, AgentInitials } from '../../ui/agents.js';
import { t } from '../../strings.js';
import { TurnList } from './TurnList.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { Button } from '../../ui/Button.js';
import { MAX_AGENT_NAME_LENGTH } from '../../../main/protocol/index.js';
import { CutText } from '../requests/CardHead.js';
import { Icon } from '../../ui/Icon.js';

export function Conversation({ state, actions }: { state: PageState; actions: Actions }): ReactNode {
  const all = useMemo(() => turns(state.chat, state.pending, state.gap), [state.chat, state.pending, state.gap]);
  const list = useRef<HTMLDivElement>(null);
  const shown = useShownTurns({ all, state, list, loadEarlier: actions.loadEarlier });
  const { gap, toNewest } = useChatGap({ list, state, actions });
  useFollowNewest(list, all.at(-1)?.message.seq ?? 0);
  return (
    <section className="region" id="conversation" aria-labelledby="h-chat" tabIndex={-1}>
      <div className="region-h">
        <h2 id="h-chat">{t('page.chat.heading')}</h2>
        <EarlierButton shown={shown} online={state.connection === 'open'} />
      </div>
      <div className="chat" role="log" ref={list} aria-label={t('page.chat.heading')}>
        {all.length === 0 ? <p className="mut">{t('page.chat.empty')}</p> : null}
        <TurnList turns={shown.turns} gap={gap} state={state} actions={actions} />
        <BusyAgents state={state} said={all} />
      </div>
      {toNewest}
    </section>
  );
}

function EarlierButton({ shown, online }: { shown: ReturnType<typeof useShownTurns>; online: boolean }): ReactNode {
  const { earlier, loading, failed, showEarlier } = shown;
  if (earlier === 0) return null;
  const off = loading || (earlier === null && !online);
  const words = loading
    ? t('page.list.loading')
    : failed
      ? t('page.list.again')
      : t('page.chat.earlier', { count: earlier ?? TURNS_PER_STEP });
  return (
    <button
      type="button"
      className="lnk end"
      aria-disabled={off || undefined}
      onClick={() => {
        if (!off) showEarlier();
      }}
    >
      {words}
    </button>
  );
}

function BusyAgents({ state, said }: { state: PageState; said: Turn[] }): ReactNode {
  const nameOf = useAgentName();
  if (state.connection !== 'open') return null;
  const held = state.status.state === 'paused';
  return busyAgents(state, said).map((agent) => (
    <p className="thinking" key={agent.id}>
      <AgentInitials agent={agent} />
      <span>
        <RevealedText
          text={held ? t('page.chat.held', { agent: nameOf(agent) }) : t('page.chat.working', { agent: nameOf(agent) })}
        />
      </span>
      {held ? null : (
        <span className="dots" aria-hidden="true">
          <i />
          <i />
          <i />
        </span>
      )}
    </p>
  ));
}

// Where messages between an older part of the conversation and the newest are left out: more of them come as it is reached.

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

function useChatGap({ list, state, actions }: Options): ChatGapParts {
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

// Scrolls the newest turn into view for a person at the end of the conversation, and moves nothing otherwise.

/** `newest` changes with every new turn. Runs after what keeps the place, so that it has the last word. */
function useFollowNewest(list: RefObject<HTMLElement | null>, newest: number): void {
  const last = useRef<Element | null>(null);
  useEffect(() => {
    const before = last.current;
    last.current = lastTurn(list.current);
    if (before === null || before === last.current || !before.isConnected) return;
    if (inView(before.getBoundingClientRect().bottom) && !isOccupied())
      lastOf(list.current)?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  }, [list, newest]);
}

/** The last turn, or what comes after it. */
function lastOf(list: HTMLElement | null): Element | null {
  const last = list?.lastElementChild ?? null;
  return last?.querySelector('[data-anchor]') == null ? last : lastTurn(list);
}

function lastTurn(list: HTMLElement | null): Element | null {
  return [...(list?.querySelectorAll('[data-anchor]') ?? [])].at(-1) ?? null;
}

/** Allows 8 pixels below the window. */
function inView(bottom: number): boolean {
  return bottom > 0 && bottom <= window.innerHeight + 8;
}

/** True while the person writes, or a request is in view. */
function isOccupied(): boolean {
  const writing = document.activeElement?.matches('textarea, input') ?? false;
  return writing || [...document.querySelectorAll('[data-slot]')].some(overlaps);
}

function overlaps(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}

/** In the popover: the conversation, folded to one line while requests wait. Once opened it stays open. */
export function FoldedConversation({ state, actions }: { state: PageState; actions: Actions }): ReactNode {
  const idle = openSlots(state.slots).length === 0;
  const [open, setOpen] = useState(idle);
  if (idle && !open) setOpen(true);
  if (open) return <Conversation state={state} actions={actions} />;
  return (
    <button type="button" className="fold alone" id="conversation" aria-expanded={false} onClick={() => setOpen(true)}>
      <Icon name="chat" />
      <span className="trunc">
        <FoldedText state={state} />
      </span>
      <span className="end">
        <Icon name="down" />
      </span>
    </button>
  );
}

function FoldedText({ state }: { state: PageState }): ReactNode {
  const nameOf = useAgentName();
  const { pending, chat } = state;
  if (pending.length === 0) return t('page.chat.heading');
  if (pending.length > 1) return t('page.chat.asked_many', { count: pending.length });
  const asked = chat.find((event) => event.type === 'agentMessage' && event.ack_id === pending[0]);
  if (asked?.type !== 'agentMessage') return t('page.chat.heading');
  return <CutText text={t('page.chat.asked', { agent: nameOf(asked.agent) })} most={MAX_AGENT_NAME_LENGTH * 2} />;
}
