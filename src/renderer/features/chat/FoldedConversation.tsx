/** In the popover: the conversation, folded to one line while requests wait. Once opened it stays open. */
import { useState, type ReactNode } from 'react';
import type { Actions } from '../../app/actions.js';
import { MAX_AGENT_NAME_LENGTH } from '../../../main/protocol/index.js';
import { openSlots } from '../../state/select.js';
import type { PageState } from '../../state/state.js';
import { agentName } from '../../ui/agents.js';
import { t } from '../../strings.js';
import { CutText } from '../requests/CardHead.js';
import { Conversation } from './Conversation.js';
import { Icon } from '../../ui/Icon.js';

export function FoldedConversation({ state, actions }: { state: PageState; actions: Actions }): ReactNode {
  const idle = openSlots(state).length === 0;
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
  const { pending, chat } = state;
  if (pending.length === 0) return t('page.chat.heading');
  if (pending.length > 1) return t('page.chat.asked_many', { count: pending.length });
  const asked = chat.find((event) => event.type === 'agentMessage' && event.ack_id === pending[0]);
  if (asked?.type !== 'agentMessage') return t('page.chat.heading');
  return <CutText text={t('page.chat.asked', { agent: agentName(asked.agent) })} most={MAX_AGENT_NAME_LENGTH * 2} />;
}
