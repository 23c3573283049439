/** The person gives an agent a name of their own, or takes it away again. */
import { useContext, useId, useState, type FormEvent, type ReactNode } from 'react';
import { MAX_AGENT_NAME_LENGTH, toPlainText, type ConnectedAgent } from '../../../main/protocol/index.js';
import type { Actions } from '../../app/actions.js';
import { t } from '../../strings.js';
import { NamesContext, programName } from '../../ui/agents.js';
import { Button, FoldButton } from '../../ui/Button.js';

interface Props {
  agent: ConnectedAgent;
  online: boolean;
  actions: Actions;
}

/** The demo is Chaperone's own, and has its name. */
export function RenameAgent({ agent, ...rest }: Props): ReactNode {
  const [open, setOpen] = useState(false);
  if (agent.demo === true) return null;
  return (
    <div className="part">
      <FoldButton open={open} label={t('page.agents.rename')} onToggle={() => setOpen(!open)} />
      {open ? <NameForm agent={agent} {...rest} onDone={() => setOpen(false)} /> : null}
    </div>
  );
}

/** `send` gives the name, or takes it away where it is empty; `problem` says why it was not taken. */
function useNaming({ agent, actions }: Pick<Props, 'agent' | 'actions'>, onDone: () => void) {
  const given = useContext(NamesContext).get(agent.id);
  const [name, setName] = useState(given ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  const change = (next: string) => {
    setName(next);
    setProblem(null);
  };
  const send = (wanted: string) => {
    actions
      .ask('renameAgent', { id: agent.id, name: wanted })
      .then(onDone, (thrown: unknown) => setProblem(thrown instanceof Error ? thrown.message : String(thrown)));
  };
  return { given, name, change, problem, send };
}

function NameForm({ agent, online, actions, onDone }: Props & { onDone(): void }): ReactNode {
  const { given, name, change, problem, send } = useNaming({ agent, actions }, onDone);
  const field = useId();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (online && name.trim() !== '') send(name);
  };
  return (
    <form className="rename" onSubmit={onSubmit}>
      <label className="small mut" htmlFor={field}>
        {t('page.agents.rename_label', { agent: toPlainText(programName(agent)) })}
      </label>
      <input
        id={field}
        className="field"
        dir="auto"
        autoComplete="off"
        maxLength={MAX_AGENT_NAME_LENGTH * 2}
        aria-describedby={`${field}-note ${field}-problem`}
        value={name}
        onChange={(event) => change(event.target.value)}
      />
      <span className="with-act">
        <Button type="submit" variant="solid sm" disabled={!online || name.trim() === ''}>
          {t('page.agents.rename_save')}
        </Button>
        {given === undefined ? null : (
          <Button variant="sm" disabled={!online} onClick={() => send('')}>
            {t('page.agents.rename_clear')}
          </Button>
        )}
      </span>
      <p className="xs bad" role="status" id={`${field}-problem`}>
        {problem}
      </p>
      <p className="xs dim" id={`${field}-note`}>
        {t('page.agents.rename_note')}
      </p>
    </form>
  );
}
