/** Commands that run on after their call, with buttons to end them. */
import type { ReactNode } from 'react';
import type { Actions } from '../../app/actions.js';
import { clockTime } from '../../ui/time.js';
import type { KeptCommand, PageState } from '../../state/state.js';
import { t } from '../../strings.js';
import { Button } from '../../ui/Button.js';
import { Icon } from '../../ui/Icon.js';
import { RevealedText } from '../../ui/RevealedText.js';

interface Props {
  state: PageState;
  actions: Pick<Actions, 'endCommand' | 'outliveCommand'>;
}

export function RunningCommands({ state, actions }: Props): ReactNode {
  if (state.role !== 'paired' || state.commands.length === 0) return null;
  return (
    <section className="region" aria-labelledby="h-commands">
      <div className="region-h">
        <h2 id="h-commands">{t('page.commands.title')}</h2>
      </div>
      <ul className="list">
        {state.commands.map((command) => (
          <Row key={command.id} command={command} dead={state.link !== 'open'} actions={actions} />
        ))}
      </ul>
    </section>
  );
}

interface RowProps {
  command: KeptCommand;
  dead: boolean;
  actions: Props['actions'];
}

function Row({ command, dead, actions }: RowProps): ReactNode {
  const { id, outlives } = command;
  return (
    <li className="perm" data-anchor>
      <Icon name="terminal" />
      <span className="nm" id={`command-${id}`}>
        <RevealedText text={command.command} />
      </span>
      <Button look="sm" dead={dead} aria-describedby={`command-${id}`} onClick={() => actions.endCommand(id)}>
        {t('page.commands.end')}
      </Button>
      <p className="ds">
        <RevealedText
          text={t('page.commands.by', {
            agent: command.agent,
            time: clockTime(command.since),
            processes: command.processes,
          })}
        />
      </p>
      <div className="ds">
        <Button
          look="sm"
          dead={dead}
          aria-describedby={`command-${id}`}
          onClick={() => actions.outliveCommand(id, !outlives)}
        >
          {outlives ? t('page.commands.end_with') : t('page.commands.outlive')}
        </Button>
      </div>
    </li>
  );
}
