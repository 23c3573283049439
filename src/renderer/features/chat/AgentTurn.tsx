/** A message of an agent; while it is an open question, with quick replies and a reply box. */
import { useRef, type ReactNode } from 'react';
import type { Actions } from '../../app/actions.js';
import { toPlainText } from '../../../main/protocol/index.js';
import { clockTime } from '../../ui/time.js';
import type { AgentMessageTurn } from '../../state/select.js';
import type { PageState } from '../../state/state.js';
import { agentName, AgentInitials } from '../../ui/agents.js';
import { t } from '../../strings.js';
import { Icon } from '../../ui/Icon.js';
import { MarkdownText } from './MarkdownText.js';
import { ReplyBox } from './ReplyBox.js';
import { useFocusOnEnd } from '../../ui/window-events.js';
import { RevealedText } from '../../ui/RevealedText.js';

interface Props {
  turn: AgentMessageTurn;
  state: PageState;
  actions: Actions;
}

export function AgentTurn({ turn, state, actions }: Props): ReactNode {
  const article = useRef<HTMLElement>(null);
  const { message } = turn;
  const waiting = turn.state === 'waiting';
  useFocusOnEnd(article, !waiting);
  return (
    <article
      ref={article}
      className="msg"
      data-anchor
      data-question={waiting ? message.ack_id : undefined}
      tabIndex={-1}
      aria-label={waiting ? t('page.chat.question_from', { agent: toPlainText(agentName(message.agent)) }) : undefined}
    >
      <AgentInitials initials={message.agent.tile} />
      <p className="by">
        <b>
          <RevealedText text={agentName(message.agent)} />
        </b>
        <time dateTime={message.at}>{clockTime(message.at)}</time>
        <TurnState state={turn.state} />
      </p>
      <MarkdownText message={message} />
      {waiting ? (
        <ReplyBox
          message={message}
          online={state.connection === 'open'}
          paired={state.role === 'paired'}
          sending={state.replying[message.ack_id] === true}
          problem={state.replyProblems[message.ack_id] ?? null}
          actions={actions}
        />
      ) : null}
    </article>
  );
}

function TurnState({ state }: { state: AgentMessageTurn['state'] }): ReactNode {
  if (state === 'withdrawn') return <span className="out">{t('page.chat.withdrawn')}</span>;
  if (state !== 'waiting') return null;
  return (
    <span className="out wait">
      <Icon name="question" />
      {t('page.chat.waiting')}
    </span>
  );
}
