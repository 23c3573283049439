/** The person writes to an agent that has asked nothing: it reads this with its next call. */
import { useId, useRef, useState, type FormEvent, type KeyboardEvent, type ReactNode } from 'react';
import { toPlainText, type ConnectedAgent } from '../../../main/protocol/index.js';
import type { Actions } from '../../app/actions.js';
import { unreadBy } from '../../state/select.js';
import type { PageState } from '../../state/state.js';
import { t } from '../../strings.js';
import { useAgentName } from '../../ui/agents.js';
import { FoldButton, Button } from '../../ui/Button.js';

interface Props {
  agent: ConnectedAgent;
  state: PageState;
  actions: Actions;
}

export function WriteToAgent({ agent, state, actions }: Props): ReactNode {
  const [open, setOpen] = useState(false);
  const unread = unreadBy(state, agent.id).length;
  return (
    <div className="part">
      <FoldButton open={open} label={t('page.agents.write')} onToggle={() => setOpen(!open)} />
      {open ? <WriteBox {...{ agent, actions }} online={state.connection === 'open'} /> : null}
      {unread === 0 ? null : <p className="small mut">{t('page.agents.unread', { count: unread })}</p>}
    </div>
  );
}

/** `submit` sends the text and empties the field; `problem` says why it was not taken. */
function useMessage(id: string, online: boolean, actions: Actions) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const disabled = !online || sending || text.trim() === '';
  const submit = async (): Promise<void> => {
    if (disabled) return;
    setSending(true);
    try {
      await actions.ask('write', { id, text });
      setText('');
      setProblem(null);
    } catch (thrown) {
      setProblem(thrown instanceof Error ? thrown.message : String(thrown));
    } finally {
      setSending(false);
    }
  };
  return { text, setText, problem, disabled, submit };
}

function WriteBox({ agent, online, actions }: Omit<Props, 'state'> & { online: boolean }): ReactNode {
  const { text, setText, problem, disabled, submit } = useMessage(agent.id, online, actions);
  const field = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const label = t('page.agents.write_to', { agent: toPlainText(useAgentName()(agent)) });
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    void submit().then(() => area.current?.focus());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) send();
  };
  return (
    <form className="composer" onSubmit={send}>
      <label className="vh" htmlFor={field}>
        {label}
      </label>
      <textarea
        ref={area}
        id={field}
        rows={2}
        dir="auto"
        maxLength={100_000}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="bar">
        <span className="xs bad" role="status">
          {problem}
        </span>
        <span className="end">
          <Button type="submit" icon="up" variant="solid sm" disabled={disabled} title={t('page.chat.send_hint')}>
            {t('page.agents.write_send')}
          </Button>
        </span>
      </div>
    </form>
  );
}
