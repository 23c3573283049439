/** One tab a client, each with the command that registers Chaperone there. */
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { strings } from '../strings.js';
import { CopyLine } from './CopyLine.js';

interface Client {
  id: string;
  name: string;
  command: string;
  text: string;
}

const { first } = strings;
const CLIENTS: readonly Client[] = [
  ...first.clients.map(({ id, name }) => ({ id, name, command: first.setup(id), text: first.setupText(name) })),
  { id: 'other', name: first.other, command: first.otherCommand, text: first.otherText },
];

export function ConnectAgent(): ReactNode {
  const [chosen, setChosen] = useState('claude');
  const tabs = useRef<HTMLDivElement>(null);
  const client = CLIENTS.find((one) => one.id === chosen);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    const at = CLIENTS.findIndex((one) => one.id === chosen);
    const next = CLIENTS[(at + by + CLIENTS.length) % CLIENTS.length];
    if (next === undefined) return;
    setChosen(next.id);
    tabs.current?.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus();
  };
  return (
    <section className="region" aria-labelledby="h-agent">
      <div className="region-h">
        <h2 id="h-agent">{first.connect}</h2>
      </div>
      <div className="panel">
        <div className="tabs" role="tablist" aria-label={first.agent} ref={tabs} onKeyDown={onKeyDown}>
          {CLIENTS.map(({ id, name }) => (
            <Tab key={id} id={id} name={name} chosen={id === chosen} onChoose={setChosen} />
          ))}
        </div>
        {client === undefined ? null : (
          <div className="panel-b" role="tabpanel" id="client" aria-labelledby={`tab-${client.id}`}>
            <CopyLine text={client.command} />
            <p className="small mut">{client.text}</p>
          </div>
        )}
      </div>
    </section>
  );
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
