/** Stops what acts on the desktop and pauses all agents. Disabled while they are paused. */
import type { ReactNode } from 'react';
import type { Actions } from '../../app/actions.js';
import type { PageState } from '../../state/state.js';
import { t } from '../../strings.js';
import { Button } from '../../ui/Button.js';

export function TakeOverButton({ state, actions }: { state: PageState; actions: Actions }): ReactNode {
  const disabled = state.connection !== 'open' || state.status.paused !== null;
  return (
    <Button
      variant="sm"
      icon="hand"
      disabled={disabled}
      title={t('page.agents.take_over_text')}
      onClick={() => actions.send({ type: 'takeOver' })}
    >
      {t('page.agents.take_over')}
    </Button>
  );
}
