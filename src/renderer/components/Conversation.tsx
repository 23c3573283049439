/** The conversation with all agents, oldest first, in the page's own scroll: only who is at its end is moved on with it. */
import { useRef, useState, type ReactNode } from 'react';
import type { Actions } from '../page/actions.js';
import { useFollow } from '../page/follow.js';
import { busyAgents, turns, type Turn } from '../state/select.js';
import type { PageState } from '../state/state.js';
import { strings } from '../strings.js';
import { AgentTile } from './Header.js';
import { AgentTurn } from './AgentTurn.js';
import { PersonTurn } from './PersonTurn.js';
import { Shown } from './Shown.js';

/** Older turns are one button away. */
const SHOWN = 60;

export function Conversation({ state, actions }: { state: PageState; actions: Actions }): ReactNode {
  const [shown, setShown] = useState(SHOWN);
  const all = turns(state.chat, state.pending);
  const from = Math.max(0, all.length - shown);
  const list = useRef<HTMLDivElement>(null);
  useFollow(list, all.at(-1)?.message.seq ?? 0);
  const visible = all.filter((turn, index) => index >= from || waits(turn));
  return (
    <section className="region" id="conversation" aria-labelledby="h-chat" tabIndex={-1}>
      <div className="region-h">
        <h2 id="h-chat">{strings.chat.heading}</h2>
        {from === 0 ? null : (
          <button type="button" className="lnk end" onClick={() => setShown(shown + SHOWN)}>
            {strings.chat.earlier(Math.min(SHOWN, from))}
          </button>
        )}
      </div>
      <div className="chat" role="log" ref={list} aria-label={strings.chat.heading}>
        {all.length === 0 ? <p className="mut">{strings.chat.empty}</p> : null}
        {visible.map((turn) =>
          turn.kind === 'agent' ? (
            <AgentTurn key={turn.message.seq} turn={turn} state={state} actions={actions} />
          ) : (
            <PersonTurn key={turn.message.seq} turn={turn} />
          ),
        )}
        <Busy state={state} />
      </div>
    </section>
  );
}

function waits(turn: Turn): boolean {
  return turn.kind === 'agent' && turn.state === 'waiting';
}

function Busy({ state }: { state: PageState }): ReactNode {
  if (state.link !== 'open') return null;
  const held = state.status.state === 'paused';
  return busyAgents(state).map((agent) => (
    <p className="thinking" key={agent.id}>
      <AgentTile tile={agent.tile} />
      <span>
        <Shown text={held ? strings.chat.held(agent.name) : strings.chat.working(agent.name)} />
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
