/** Calls that become requests once an earlier one of the same agent is answered: how many, and what they do. */
import type { ReactNode } from 'react';
import { MAX_AGENT_NAME_LENGTH, type CurrentCall } from '../../../main/protocol/index.js';
import type { AgentQueue } from '../../state/select.js';
import { t } from '../../strings.js';
import { CutText, TitleText } from './CardHead.js';
import { Icon } from '../../ui/Icon.js';

const MAX_CALLS = 3;

export function QueuedCalls({ queued }: { queued: readonly AgentQueue[] }): ReactNode {
  if (queued.length === 0) return null;
  return (
    <ul className="queued" aria-label={t('page.needs.queue')}>
      {queued.map(({ agentId, name, calls }) => (
        <li key={agentId}>
          <Icon name="clock" />
          <span>
            <CutText
              text={t('page.needs.next', { agent: name, count: calls.length })}
              most={MAX_AGENT_NAME_LENGTH * 2}
            />
            {t('page.marks.colon')}
            {calls.slice(0, MAX_CALLS).map((call, index) => (
              <span key={call.executionId}>
                {index === 0 ? null : t('page.marks.comma')}
                <CallText call={call} />
              </span>
            ))}
            {calls.length > MAX_CALLS ? ` ${t('page.needs.more', { count: calls.length - MAX_CALLS })}` : null}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** What a call does, in words; before its request is made, all that is known is what its tool does. */
export function CallText({ call, lower = true }: { call: CurrentCall; lower?: boolean }): ReactNode {
  if (call.subject !== null) return <TitleText subject={call.subject} lower={lower} />;
  const text = t('page.needs.call', { does: call.does });
  return lower ? text : text.charAt(0).toLocaleUpperCase() + text.slice(1);
}
