/** The demo: a button where this host can run it, else the command. */
import type { ReactNode } from 'react';
import type { Actions } from '../../app/actions.js';
import { hrefOf } from '../../app/route.js';
import type { PageState } from '../../state/state.js';
import { t } from '../../strings.js';
import { Button } from '../../ui/Button.js';
import { CopyLine } from '../../ui/commands.js';
import { Region } from '../../ui/Region.js';

interface Props {
  state: PageState;
  /** null on a page that may not ask. */
  actions: Actions | null;
  /** The one filled button of the screen. */
  filled?: boolean;
}

export function DemoPanel({ state, actions, filled = true }: Props): ReactNode {
  const { demo } = state.status;
  return (
    <Region id="demo" heading={t('page.first.demo_heading')}>
      <div className="panel">
        <div className="panel-b">
          {actions === null || demo === undefined ? (
            <>
              <div className="part">
                <b>{t('page.first.demo')}</b>
                <p className="small mut">{t('page.first.demo_text')}</p>
              </div>
              <CopyLine text="npm run demo" />
            </>
          ) : (
            <RunDemo {...{ state, actions, filled }} />
          )}
        </div>
      </div>
    </Region>
  );
}

/** `filled`: the one filled button of the screen. */
export function RunDemo({ state, actions, filled = true }: Props & { actions: Actions }): ReactNode {
  const running = state.status.demo === 'running';
  const online = state.connection === 'open';
  return (
    <div className="part">
      <div className="run">
        <Button icon="play" variant={filled ? 'solid' : ''} disabled={!online || running} onClick={actions.runDemo}>
          {running ? t('page.setup.demo.running') : t('page.setup.demo.run')}
        </Button>
        <p className="small mut" role="status">
          {running ? <a href={hrefOf({ view: 'home' })}>{t('page.setup.demo.answer')}</a> : null}
        </p>
      </div>
      <p className="small mut">{t('page.setup.demo.text')}</p>
    </div>
  );
}
