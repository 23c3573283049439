/** A tab for each client: its state, a button that sets it up, and the command that does the same. */
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { CLIENT_IDS, CLIENT_NAMES } from '../../../main/protocol/index.js';
import type { Ask } from '../../net/host-questions.js';
import { useClients, type KnownClients } from './clients.js';
import { t } from '../../strings.js';
import { ClientPanel } from './ClientPanel.js';
import { CopyLine } from '../../ui/commands.js';

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
              <CopyLine text="chaperone mcp" />
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
