/** Commands that run on after their call, with buttons to end them. */
import type { ReactNode } from 'react';
import type { Actions } from '../../app/actions.js';
import { clockTime } from '../../ui/time.js';
import type { KeptCommand } from '../../../main/protocol/index.js';
import type { PageState } from '../../state/state.js';
import { t } from '../../strings.js';
import { Button } from '../../ui/Button.js';
import { ActionRow } from '../../ui/rows.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { Region } from '../../ui/Region.js';

interface Props {
  state: PageState;
  actions: Pick<Actions, 'send'>;
}

export function RunningCommands({ state, actions }: Props): ReactNode {
  if (state.role !== 'paired' || state.commands.length === 0) return null;
  return (
    <Region id="commands" heading={t('page.commands.title')}>
      <ul className="list">
        {state.commands.map((command) => (
          <Row key={command.id} command={command} disabled={state.connection !== 'open'} actions={actions} />
        ))}
      </ul>
    </Region>
  );
}

interface RowProps {
  command: KeptCommand;
  disabled: boolean;
  actions: Props['actions'];
}

function Row({ command, disabled, actions }: RowProps): ReactNode {
  const { id, outlives } = command;
  return (
    <ActionRow
      id={`command-${id}`}
      icon="terminal"
      name={command.command}
      action={t('page.commands.end')}
      disabled={disabled}
      onPress={() => actions.send({ type: 'endCommand', id })}
    >
      <p className="detail">
        <RevealedText
          text={t('page.commands.by', {
            agent: command.agent,
            time: clockTime(command.since),
            processes: command.processes,
          })}
        />
      </p>
      <div className="detail">
        <Button
          variant="sm"
          disabled={disabled}
          aria-describedby={`command-${id}`}
          onClick={() => actions.send({ type: 'outliveCommand', id, on: !outlives })}
        >
          {outlives ? t('page.commands.end_with') : t('page.commands.outlive')}
        </Button>
      </div>
    </ActionRow>
  );
}
