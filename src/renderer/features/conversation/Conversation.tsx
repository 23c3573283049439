/** The conversation with all agents, oldest first, in the page's own scroll: only who is at its end is moved on with it. */
import { useMemo, useRef, useState, type ReactNode } from 'react';
import type { Actions } from '../../app/actions.js';
import { blockOf, PART, useEarlier, waits } from './earlier.js';
import { useFollow } from './follow.js';
import { busyAgents, turns, type Turn } from '../../state/select.js';
import type { PageState } from '../../state/state.js';
import { t } from '../../strings.js';
import { AgentTile } from '../../app/Header.js';
import { AgentTurn } from './AgentTurn.js';
import { LongBlock } from '../../ui/LongBlock.js';
import { PersonTurn } from './PersonTurn.js';
import { Shown } from '../../ui/Shown.js';

const TURN_PX = 110;
/** Blocks at the end are drawn at once. */
const FIRST = 3;

export function Conversation({ state, actions }: { state: PageState; actions: Actions }): ReactNode {
  const all = useMemo(() => turns(state.chat, state.pending), [state.chat, state.pending]);
  const list = useRef<HTMLDivElement>(null);
  const [heights] = useState(() => new Map<string, number>());
  const shown = useEarlier({ all, state, list, recall: actions.recall });
  useFollow(list, all.at(-1)?.message.seq ?? 0);
  const parts = partsOf(shown.turns);
  return (
    <section className="region" id="conversation" aria-labelledby="h-chat" tabIndex={-1}>
      <div className="region-h">
        <h2 id="h-chat">{t('page.chat.heading')}</h2>
        <Earlier shown={shown} online={state.link === 'open'} />
      </div>
      <div className="chat" role="log" ref={list} aria-label={t('page.chat.heading')}>
        {all.length === 0 ? <p className="mut">{t('page.chat.empty')}</p> : null}
        {parts.map(({ id, turns: said }, index) => (
          <LongBlock
            key={id}
            id={id}
            className="part"
            heights={heights}
            guess={said.length * TURN_PX}
            shown={index >= parts.length - FIRST}
            keep={index === parts.length - 1 || said.some(waits)}
            quiet={index < parts.length - 1}
            of={[...said.flatMap(drawnFrom), ...(said.some(isUnsettled) ? stateFor(state) : []), actions]}
          >
            {() =>
              said.map((turn) =>
                turn.kind === 'agent' ? (
                  <AgentTurn key={turn.message.seq} turn={turn} state={state} actions={actions} />
                ) : (
                  <PersonTurn key={turn.message.seq} turn={turn} state={state} />
                ),
              )
            }
          </LongBlock>
        ))}
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

function partsOf(said: Turn[]): { id: string; turns: Turn[] }[] {
  const parts = new Map<string, Turn[]>();
  for (const turn of said) {
    const id = String(blockOf(turn));
    const part = parts.get(id);
    if (part === undefined) parts.set(id, [turn]);
    else part.push(turn);
  }
  return [...parts].map(([id, turns]) => ({ id, turns }));
}

function drawnFrom(turn: Turn): unknown[] {
  return turn.kind === 'agent' ? [turn.message, turn.state] : [turn.message, turn.deliveredAt, turn.to];
}

/** It shows more than what was said. */
function isUnsettled(turn: Turn): boolean {
  return turn.kind === 'agent' ? waits(turn) : turn.deliveredAt === null;
}

const stateFor = ({ link, role, status, replying, replyProblems }: PageState): unknown[] => [
  link,
  role,
  status.agents,
  replying,
  replyProblems,
];

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
