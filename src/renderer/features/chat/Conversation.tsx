/** The conversation with all agents, oldest first. It scrolls with the page, and follows new messages only at its end. */
import { useMemo, useRef, type ReactNode } from 'react';
import type { Actions } from '../../app/actions.js';
import { TURNS_PER_STEP, useShownTurns } from './shown-turns.js';
import { useChatGap } from './ChatGap.js';
import { useFollowNewest } from './follow-newest.js';
import { busyAgents, turns, type Turn } from '../../state/select.js';
import type { PageState } from '../../state/state.js';
import { agentName } from '../../ui/agent-name.js';
import { t } from '../../strings.js';
import { AgentInitials } from '../../ui/AgentInitials.js';
import { TurnList } from './TurnList.js';
import { RevealedText } from '../../ui/RevealedText.js';

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
  if (state.connection !== 'open') return null;
  const held = state.status.state === 'paused';
  return busyAgents(state, said).map((agent) => (
    <p className="thinking" key={agent.id}>
      <AgentInitials initials={agent.tile} />
      <span>
        <RevealedText
          text={
            held
              ? t('page.chat.held', { agent: agentName(agent) })
              : t('page.chat.working', { agent: agentName(agent) })
          }
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
