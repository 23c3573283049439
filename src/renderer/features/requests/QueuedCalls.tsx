/** Calls that become requests once an earlier one of the same agent is answered: by agent and tool. */
import type { ReactNode } from 'react';
import { LONG_AGENT } from '../../ui/plain.js';
import type { Queued } from '../../state/waiting.js';
import { strings } from '../../strings.js';
import { Name } from './CardHead.js';
import { Icon } from '../../ui/Icon.js';

const LISTED = 3;

export function QueuedCalls({ queued }: { queued: readonly Queued[] }): ReactNode {
  if (queued.length === 0) return null;
  return (
    <ul className="queued" aria-label={strings.needs.queue}>
      {queued.map(({ agentId, name, tools }) => (
        <li key={agentId}>
          <Icon name="clock" />
          <span>
            <Name text={strings.needs.next(name)} most={LONG_AGENT * 2} />
            {strings.marks.colon}
            {tools.slice(0, LISTED).map((tool, index) => (
              <span key={index}>
                {index === 0 ? null : strings.marks.comma}
                <code>{tool}</code>
              </span>
            ))}
            {tools.length > LISTED ? ` ${strings.needs.more(tools.length - LISTED)}` : null}
          </span>
        </li>
      ))}
    </ul>
  );
}
