/** One coding agent: its state, the button that sets it up, and what that changed. */
import type { ReactNode } from 'react';
import type { ClientId, KnownClient } from '../../../main/protocol/index.js';
import type { SetupAttempt, ClientsState } from './clients.js';
import { clockTime } from '../../ui/time.js';
import { t } from '../../strings.js';
import { Button } from '../../ui/Button.js';
import { CopyLine, CommandText } from '../../ui/commands.js';
import { Icon, type IconName } from '../../ui/Icon.js';
import { RevealedText } from '../../ui/RevealedText.js';

const commandFor = (id: ClientId): string => `chaperone setup ${id}`;

interface Props {
  client: { id: ClientId; name: string };
  clients: ClientsState;
  online: boolean;
}

export function ClientPanel({ client: { id, name }, clients, online }: Props): ReactNode {
  const known = clients.known?.clients.find((one) => one.id === id);
  const attempt = clients.attempts[id];
  if (clients.known?.offered !== true || known === undefined) {
    return (
      <>
        <CopyLine text={commandFor(id)} />
        <p className="small mut">{t('page.first.setup_text', { name })}</p>
      </>
    );
  }
  if (known.paste !== null) return <Paste name={name} text={known.paste} />;
  const working = attempt?.state === 'working';
  const ready = known.entry === 'ours';
  return (
    <>
      <div className="client">
        <State known={known} />
        <SetupButtons
          known={known}
          name={name}
          working={working}
          online={online}
          onSetUp={(remove) => clients.setUp(id, remove)}
        />
      </div>
      <div className="setup-s" role="status">
        {attempt === undefined ? null : <Result id={id} name={name} attempt={attempt} />}
      </div>
      {attempt === undefined && !ready ? <p className="small mut">{t('page.setup.adds', { name })}</p> : null}
      <div className="client-or">
        <span className="small mut">{t('page.setup.or_run')}</span>
        <CopyLine text={commandFor(id)} />
      </div>
    </>
  );
}

/** For a client whose settings only the client itself writes. */
function Paste({ name, text }: { name: string; text: string }): ReactNode {
  return (
    <>
      <p className="small mut">{t('page.setup.paste', { name })}</p>
      <CopyLine text={text} />
    </>
  );
}

interface SetupProps {
  known: KnownClient;
  name: string;
  working: boolean;
  online: boolean;
  onSetUp(remove: boolean): void;
}

function SetupButtons({ known, name, working, online, onSetUp }: SetupProps): ReactNode {
  const ready = known.entry === 'ours';
  const words = working
    ? t('page.setup.working')
    : ready
      ? t('page.setup.done')
      : known.entry === 'other'
        ? t('page.setup.update', { name })
        : t('page.setup.connect', { name });
  return (
    <div className="client-do">
      {known.entry === 'ours' || known.entry === 'other' ? (
        <Button
          variant="quiet"
          disabled={!online || working}
          aria-label={t('page.setup.remove_from', { name })}
          onClick={() => onSetUp(true)}
        >
          {t('page.setup.remove')}
        </Button>
      ) : null}
      <Button
        {...(ready && !working ? { icon: 'check' } : {})}
        disabled={!online || working || ready}
        onClick={() => onSetUp(false)}
      >
        {words}
      </Button>
    </div>
  );
}

function State({ known }: { known: KnownClient }): ReactNode {
  const [icon, tone, words] = stateOf(known);
  return (
    <span className={`out wrap ${tone}`}>
      <Icon name={icon} />
      {words}
    </span>
  );
}

function stateOf({ connected, lastSeen, entry, found }: KnownClient): [IconName, string, string] {
  if (connected) return ['success', 'ok', t('page.setup.states.connected')];
  if (entry === 'unclear') return ['alert', 'wait', t('page.setup.states.unclear')];
  if (entry === 'other') return ['alert', 'wait', t('page.setup.states.other')];
  if (entry === 'ours' && lastSeen !== null)
    return ['success', 'ok', t('page.setup.states.last_seen', { time: clockTime(lastSeen) })];
  if (entry === 'ours') return ['success', 'ok', t('page.setup.states.ours')];
  return ['minus', '', found ? t('page.setup.states.none') : t('page.setup.states.missing')];
}

function Result({ id, name, attempt }: { id: ClientId; name: string; attempt: SetupAttempt }): ReactNode {
  if (attempt.state === 'working') return null;
  if (attempt.state === 'failed') {
    return (
      <div className="setup-r">
        <span className="out wrap bad">
          <Icon name="failure" />
          {t('page.setup.failed')}
        </span>
        <p className="small">
          <RevealedText text={attempt.why} />
        </p>
      </div>
    );
  }
  const { outcome, files, ownLimit } = attempt.answer;
  const undoable = outcome === 'added' || outcome === 'updated';
  return (
    <div className="setup-r">
      <p className="small">{t(`page.setup.outcome.${outcome}`, { name })}</p>
      {files.map(({ path, backup }) => (
        <p className="small mut" key={path}>
          {t('page.setup.changed')} <code>{path}</code>
          {backup === null ? null : (
            <>
              {t('page.marks.stop')}
              {t('page.setup.before')} <code>{backup}</code>
            </>
          )}
        </p>
      ))}
      {ownLimit ? <p className="small mut">{t('page.setup.own_limit')}</p> : null}
      {undoable ? (
        <p className="small mut">
          {t('page.setup.undo')} <CommandText text={`${commandFor(id)} --remove`} />
        </p>
      ) : null}
    </div>
  );
}
