/** A tab for each client: its state, a button that sets it up, and the command that does the same. */
import { useRef, useState, type KeyboardEvent, type ReactNode, useCallback } from 'react';
import {
  CLIENT_IDS,
  CLIENT_NAMES,
  type ClientId,
  type KnownClient,
  type AnswerTo,
  type QuestionFields,
} from '../../../main/protocol/index.js';
import type { Ask } from '../../net/host-questions.js';
import { t } from '../../strings.js';
import { CopyLine, CommandText } from '../../ui/commands.js';
import { clockTime } from '../../ui/formats.js';
import { Button } from '../../ui/Button.js';
import { Icon, type IconName } from '../../ui/Icon.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { useLoaded, valueOf } from '../../ui/loaded.js';

type Desktop = KnownClient['desktop'];

/** Names what a person chose against what setup suggests. */
const commandFor = (id: ClientId, desktop: Desktop | null = null): string =>
  `chaperone setup ${id}${desktop === null ? '' : ` --desktop ${desktop}`}`;

interface ClientProps {
  client: { id: ClientId; name: string };
  clients: ClientsState;
  online: boolean;
}

/** One coding agent: its state, the button that sets it up, and what that changed. */
function ClientPanel({ client: { id, name }, clients, online }: ClientProps): ReactNode {
  const known = clients.known?.clients.find((one) => one.id === id);
  if (clients.known?.offered !== true || known === undefined) {
    return (
      <>
        <CopyLine text={commandFor(id)} />
        <p className="small mut">{t('page.first.setup_text', { name })}</p>
      </>
    );
  }
  if (known.paste !== null) return <Paste name={name} text={known.paste} />;
  return <Setup client={{ id, name }} clients={clients} online={online} known={known} />;
}

function Setup({ client: { id, name }, clients, online, known }: ClientProps & { known: KnownClient }): ReactNode {
  const attempt = clients.attempts[id];
  const [picked, pick] = useState<Desktop | null>(null);
  const working = attempt?.state === 'working';
  const desktop = picked ?? known.desktop;
  const other = desktop === known.desktop ? null : desktop;
  const ready = known.entry === 'ours' && other === null;
  return (
    <>
      <div className="client">
        <State known={known} />
        <SetupButtons
          known={known}
          ready={ready}
          name={name}
          working={working}
          online={online}
          onSetUp={(remove) => clients.setUp({ client: id, remove, ...(other === null ? {} : { desktop: other }) })}
        />
      </div>
      {clients.known?.ownDesktops === true ? <DesktopChoice client={id} chosen={desktop} onChoose={pick} /> : null}
      <div className="setup-s" role="status">
        {attempt === undefined ? null : <Result id={id} name={name} attempt={attempt} />}
      </div>
      {attempt === undefined && !ready ? <p className="small mut">{t('page.setup.adds', { name })}</p> : null}
      <div className="client-or">
        <span className="small mut">{t('page.setup.or_run')}</span>
        <CopyLine text={commandFor(id, other)} />
      </div>
    </>
  );
}

const DESKTOPS: readonly Desktop[] = ['own', 'current'];

function DesktopChoice(props: { client: ClientId; chosen: Desktop; onChoose(desktop: Desktop): void }): ReactNode {
  const label = `l-desktop-${props.client}`;
  return (
    <div className="client-desktop">
      <span className="small" id={label}>
        {t('page.setup.desktop')}
      </span>
      <div className="segments" role="radiogroup" aria-labelledby={label}>
        {DESKTOPS.map((one) => (
          <label key={one}>
            <input type="radio" name={label} checked={one === props.chosen} onChange={() => props.onChoose(one)} />
            <span>{t(one === 'own' ? 'page.card.desktop_own' : 'page.card.desktop_shared')}</span>
          </label>
        ))}
      </div>
      <span className="small mut">{t('page.setup.desktop_note')}</span>
    </div>
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
  ready: boolean;
  name: string;
  working: boolean;
  online: boolean;
  onSetUp(remove: boolean): void;
}

function SetupButtons({ known, ready, name, working, online, onSetUp }: SetupProps): ReactNode {
  const words = working
    ? t('page.setup.working')
    : ready
      ? t('page.setup.done')
      : known.entry === 'ours' || known.entry === 'other'
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

/** The coding agents on this machine, and setting one up. */
type KnownClients = AnswerTo<'clients'>;
type SetupAttempt =
  { state: 'working' } | { state: 'done'; answer: AnswerTo<'setUp'> } | { state: 'failed'; why: string };

interface ClientsState {
  /** null: not known, or nothing that this page may ask. */
  known: KnownClients | null;
  attempts: Partial<Record<ClientId, SetupAttempt>>;
  setUp(wanted: QuestionFields<'setUp'>): void;
}

/** Asks again whenever `refreshKey` changes. */
function useClients(ask: Ask | null, refreshKey: string): ClientsState {
  const [attempts, setAttempts] = useState<ClientsState['attempts']>({});
  const [turn, setTurn] = useState(0);
  const known = valueOf(useLoaded(ask === null ? null : () => ask('clients', {}), 'clients', `${refreshKey} ${turn}`));

  const setUp = useCallback(
    (wanted: QuestionFields<'setUp'>) => {
      if (ask === null) return;
      const now = (attempt: SetupAttempt) => setAttempts((others) => ({ ...others, [wanted.client]: attempt }));
      now({ state: 'working' });
      const failed = (error: unknown) =>
        now({ state: 'failed', why: error instanceof Error ? error.message : String(error) });
      ask('setUp', wanted)
        .then((answer) => now({ state: 'done', answer }), failed)
        .finally(() => setTurn((last) => last + 1));
    },
    [ask],
  );
  return { known, attempts, setUp };
}

const OTHER = 'other';
const CLIENTS = CLIENT_IDS.map((id) => ({ id, name: CLIENT_NAMES[id] }));
const TABS: readonly { id: string; name: string }[] = [...CLIENTS, { id: OTHER, name: t('page.first.other') }];

interface Props {
  /** null on a page that may not ask. */
  ask: Ask | null;
  /** The clients are loaded again when this changes. */
  refreshKey?: string;
  online?: boolean;
  heading?: boolean;
}

export function ConnectAgent({ ask, refreshKey = '', online = true, heading = true }: Props): ReactNode {
  const clients = useClients(ask, refreshKey);
  const [picked, setPicked] = useState<string | null>(null);
  const tabs = useRef<HTMLDivElement>(null);
  const chosen = picked ?? firstFound(clients.known);
  const client = CLIENTS.find((one) => one.id === chosen);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    const at = TABS.findIndex((one) => one.id === chosen);
    const next = TABS[(at + by + TABS.length) % TABS.length];
    if (next === undefined) return;
    setPicked(next.id);
    tabs.current?.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus();
  };
  return (
    <section
      className="region"
      aria-labelledby={heading ? 'h-agent' : undefined}
      aria-label={heading ? undefined : t('page.first.connect')}
    >
      {heading ? (
        <div className="region-h">
          <h2 id="h-agent">{t('page.first.connect')}</h2>
        </div>
      ) : null}
      <div className="panel">
        <div className="tabs" role="tablist" aria-label={t('page.first.agent')} ref={tabs} onKeyDown={onKeyDown}>
          {TABS.map(({ id, name }) => (
            <Tab key={id} id={id} name={name} chosen={id === chosen} onChoose={setPicked} />
          ))}
        </div>
        <div className="panel-b" role="tabpanel" id="client" aria-labelledby={`tab-${chosen}`}>
          {client === undefined ? (
            <>
              <CopyLine text={clients.known?.ownDesktops === true ? 'chaperone mcp --desktop own' : 'chaperone mcp'} />
              <p className="small mut">{t('page.first.other_text')}</p>
            </>
          ) : (
            <ClientPanel key={client.id} client={client} clients={clients} online={online} />
          )}
        </div>
      </div>
    </section>
  );
}

/** The first installed client that is not set up, else the first installed one. */
function firstFound(known: KnownClients | null): string {
  const here = known?.clients.filter(({ found }) => found) ?? [];
  return (here.find(({ entry, paste }) => entry !== 'ours' && paste === null) ?? here[0])?.id ?? 'claude';
}

function Tab(props: { id: string; name: string; chosen: boolean; onChoose(id: string): void }): ReactNode {
  return (
    <button
      type="button"
      className="tab"
      role="tab"
      id={`tab-${props.id}`}
      aria-selected={props.chosen}
      aria-controls="client"
      tabIndex={props.chosen ? 0 : -1}
      onClick={() => props.onChoose(props.id)}
    >
      {props.name}
    </button>
  );
}
