/** A paused agent that is not connected. Its pause stays, and can be lifted here. */
import { useState, type ReactNode } from 'react';
import type { Actions } from '../../app/actions.js';
import { LONG_AGENT, plain } from '../../ui/plain.js';
import { clockTime } from '../../ui/time.js';
import type { Status } from '../../state/state.js';
import { say, t } from '../../strings.js';
import { Button } from '../../ui/Button.js';
import { AgentIdentity } from '../requests/CardExact.js';
import { CutText } from '../requests/CardHead.js';
import { FoldButton } from '../../ui/FoldButton.js';
import { AgentTile } from '../../app/Header.js';
import { Icon } from '../../ui/Icon.js';
import { RevealedText } from '../../ui/RevealedText.js';
type Away = NonNullable<Status['away']>[number];

export function AwayAgent({ away, online, actions }: { away: Away; online: boolean; actions: Actions }): ReactNode {
  const { id, agent, paused } = away;
  const [open, setOpen] = useState(false);
  const name = agent?.name ?? t('page.agents.someone');
  return (
    <article className="panel panel-b agent" aria-labelledby={`agent-${id}`} data-anchor>
      <div className="agent-h">
        {agent === null ? null : <AgentTile tile={agent.tile} />}
        <h2 className="h4" id={`agent-${id}`}>
          <CutText text={name} most={LONG_AGENT} />
        </h2>
        <span className="chip">
          <Icon name="pause" />
          <span>{t('page.agents.states.paused')}</span>
        </span>
        <Button
          look="sm"
          icon="play"
          dead={!online}
          aria-label={t('page.agents.resume_one', { agent: plain(name) })}
          onClick={() => actions.pauseAgent(id, false)}
        >
          {t('page.agents.resume')}
        </Button>
      </div>
      <p className="small">
        <RevealedText text={say(paused.reason)} />
        {t('page.marks.space')}
        {t('page.banner.since', { time: clockTime(paused.at) })}
      </p>
      <p className="small mut">{t('page.agents.away')}</p>
      {agent === null ? null : <FoldButton open={open} label={t('page.agents.who')} onToggle={() => setOpen(!open)} />}
      {agent !== null && open ? <AgentIdentity agent={agent} heading={null} /> : null}
    </article>
  );
}
