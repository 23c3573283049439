/** What an application and its connection wrote last, read when the person opens it. */
import { useState, type ReactNode } from 'react';
import type { Ask } from '../../net/host-questions.js';
import { t } from '../../strings.js';
import { Button } from '../../ui/Button.js';
import { FoldButton } from '../../ui/FoldButton.js';
import { useLoaded } from '../../ui/loaded.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { clockTime } from '../../ui/time.js';

interface Props {
  name: string;
  /** It is read again when this changes. */
  refreshKey: string;
  /** null while nothing can be asked. */
  ask: Ask | null;
}

export function AppLog(props: Props): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <div className="detail app-log">
      <FoldButton open={open} label={t('page.apps.log')} onToggle={() => setOpen(!open)} />
      {open ? <Lines {...props} /> : null}
    </div>
  );
}

function Lines({ name, refreshKey, ask }: Props): ReactNode {
  const [turn, setTurn] = useState(0);
  const loaded = useLoaded(ask === null ? null : () => ask('appLog', { name }), name, `${refreshKey} ${turn}`);
  return (
    <>
      {loaded.state === 'failed' ? (
        <p className="small bad" role="status">
          <RevealedText text={loaded.message} />
        </p>
      ) : null}
      {loaded.state === 'done' && loaded.value.lines.length === 0 ? <p>{t('page.apps.log_empty')}</p> : null}
      {loaded.state === 'done' && loaded.value.lines.length > 0 ? (
        <ol tabIndex={0} aria-label={t('page.apps.log_of', { app: name })}>
          {loaded.value.lines.map(({ at, text }, index) => (
            <li key={index}>
              <time className="num">{clockTime(at)}</time> <RevealedText text={text} />
            </li>
          ))}
        </ol>
      ) : null}
      <Button variant="sm" icon="refresh" disabled={ask === null} onClick={() => setTurn(turn + 1)}>
        {t('page.apps.log_again')}
      </Button>
    </>
  );
}
