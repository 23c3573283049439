/** The conversation with all agents, oldest first, in the page's own scroll: only who is at its end is moved on with it. */
import { useMemo, useRef, type ReactNode } from 'react';
import type { Actions } from '../../app/actions.js';
import { PART, useEarlier } from './earlier.js';
import { useFollow } from './follow.js';
import { busyAgents, turns, type Turn } from '../../state/select.js';
import type { PageState } from '../../state/state.js';
import { t } from '../../strings.js';
import { AgentTile } from '../../app/Header.js';
import { Sections } from './Turns.js';
import { Shown } from '../../ui/Shown.js';

export function Conversation({ state, actions }: { state: PageState; actions: Actions }): ReactNode {
  const all = useMemo(() => turns(state.chat, state.pending), [state.chat, state.pending]);
  const list = useRef<HTMLDivElement>(null);
  const shown = useEarlier({ all, state, list, recall: actions.recall });
  useFollow(list, all.at(-1)?.message.seq ?? 0);
  return (
    <section className="region" id="conversation" aria-labelledby="h-chat" tabIndex={-1}>
      <div className="region-h">
        <h2 id="h-chat">{t('page.chat.heading')}</h2>
        <Earlier shown={shown} online={state.link === 'open'} />
      </div>
      <div className="chat" role="log" ref={list} aria-label={t('page.chat.heading')}>
        {all.length === 0 ? <p className="mut">{t('page.chat.empty')}</p> : null}
        <Sections turns={shown.turns} state={state} actions={actions} />
        <Busy state={state} said={all} />
      </div>
    </section>
  );
}

function Earlier({ shown, online }: { shown: ReturnType<typeof useEarlier>; online: boolean }): ReactNode {
  const { earlier, loading, failed, showEarlier } = shown;
  if (earlier === 0) return null;
  const off = loading || (earlier === null && !online);
  const words = loading
    ? t('page.list.loading')
    : failed
      ? t('page.list.again')
      : t('page.chat.earlier', { count: earlier ?? PART });
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

function Busy({ state, said }: { state: PageState; said: Turn[] }): ReactNode {
  if (state.link !== 'open') return null;
  const held = state.status.state === 'paused';
  return busyAgents(state, said).map((agent) => (
    <p className="thinking" key={agent.id}>
      <AgentTile tile={agent.tile} />
      <span>
        <Shown
          text={held ? t('page.chat.held', { agent: agent.name }) : t('page.chat.working', { agent: agent.name })}
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
