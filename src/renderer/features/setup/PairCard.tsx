/** On an unpaired page: why it cannot approve, and the two ways to pair it. */
import type { ReactNode } from 'react';
import { t } from '../../strings.js';
import { CopyLine } from '../../ui/commands.js';
import { Icon } from '../../ui/Icon.js';

interface Props {
  refused: string | null;
  /** Whether it gets the conversation meanwhile. */
  mayRead: boolean;
  /** Where a person has to confirm this page; null: it waits for nobody. */
  confirmedIn: 'page' | 'popover' | null;
}

export function PairCard({ refused, mayRead, confirmedIn }: Props): ReactNode {
  if (confirmedIn !== null) return <WaitsForConfirmation confirmedIn={confirmedIn} />;
  return (
    <section className="region" aria-labelledby="h-pair">
      <div className="panel">
        <div className="panel-b wide">
          <div className="part">
            <h2 id="h-pair" className="t17">
              {t('page.pair.heading')}
            </h2>
            {refused === null ? null : (
              <p className="out wait wrap" role="status">
                <Icon name="alert" />
                <span>{refused}</span>
              </p>
            )}
            <p className="mut">{t('page.pair.text', { may: mayRead ? 'read' : 'other' })}</p>
          </div>
          <ul className="pair-ways">
            <li>
              <Icon name="mark" />
              <b>{t('page.pair.menu')}</b>
              <p className="mut small">{t('page.pair.menu_text')}</p>
            </li>
            <li>
              <Icon name="terminal" />
              <b>{t('page.pair.terminal')}</b>
              <p className="mut small">{t('page.pair.terminal_text')}</p>
              <CopyLine text="chaperone pair" />
            </li>
          </ul>
          <p className="xs dim">{t('page.pair.once')}</p>
        </div>
      </div>
    </section>
  );
}

function WaitsForConfirmation({ confirmedIn }: { confirmedIn: 'page' | 'popover' }): ReactNode {
  return (
    <section className="region" aria-labelledby="h-pair">
      <div className="panel">
        <div className="panel-b wide">
          <div className="part" role="status">
            <h2 id="h-pair" className="t17">
              {t('page.settings.pairing.waits')}
            </h2>
            <p className="mut">
              {confirmedIn === 'popover'
                ? t('page.settings.pairing.waits_popover')
                : t('page.settings.pairing.waits_page')}
            </p>
          </div>
        </div>
      </div>
    </section>
  );
}
