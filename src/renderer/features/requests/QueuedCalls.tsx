/** Calls that become requests once an earlier one of the same agent is answered: by agent and tool. */
import type { ReactNode } from 'react';
import { MAX_AGENT_NAME_LENGTH } from '../../../main/protocol/index.js';
import type { AgentQueue } from '../../state/waiting.js';
import { t } from '../../strings.js';
import { CutText } from './CardHead.js';
import { Icon } from '../../ui/Icon.js';

const MAX_TOOLS = 3;

export function QueuedCalls({ queued }: { queued: readonly AgentQueue[] }): ReactNode {
  if (queued.length === 0) return null;
  return (
    <ul className="queued" aria-label={t('page.needs.queue')}>
      {queued.map(({ agentId, name, tools }) => (
        <li key={agentId}>
          <Icon name="clock" />
          <span>
            <CutText text={t('page.needs.next', { agent: name })} most={MAX_AGENT_NAME_LENGTH * 2} />
            {t('page.marks.colon')}
            {tools.slice(0, MAX_TOOLS).map((tool, index) => (
              <span key={index}>
                {index === 0 ? null : t('page.marks.comma')}
                <code>{tool}</code>
              </span>
            ))}
            {tools.length > MAX_TOOLS ? ` ${t('page.needs.more', { count: tools.length - MAX_TOOLS })}` : null}
          </span>
        </li>
      ))}
    </ul>
  );
}
