/** What an unpaired page says: why it cannot approve, and the two ways to pair it. */
import type { ReactNode } from 'react';
import { strings } from '../../strings.js';
import { CopyLine } from '../../ui/CopyLine.js';
import { Icon } from '../../ui/Icon.js';

interface Props {
  refused: string | null;
  /** Where a person has to confirm this page; null: it waits for nobody. */
  confirmedIn: 'page' | 'popover' | null;
}

export function PairCard({ refused, confirmedIn }: Props): ReactNode {
  const { pair } = strings;
  if (confirmedIn !== null) return <Waits confirmedIn={confirmedIn} />;
  return (
    <section className="region" aria-labelledby="h-pair">
      <div className="panel">
        <div className="panel-b wide">
          <div className="part">
            <h2 id="h-pair" className="t17">
              {pair.heading}
            </h2>
            {refused === null ? null : (
              <p className="out wait wrap" role="status">
                <Icon name="alert" />
                <span>{refused}</span>
              </p>
            )}
            <p className="mut">{pair.text}</p>
          </div>
          <ul className="ways">
            <li>
              <Icon name="mark" />
              <b>{pair.menu}</b>
              <p className="mut small">{pair.menuText}</p>
            </li>
            <li>
              <Icon name="term" />
              <b>{pair.terminal}</b>
              <p className="mut small">{pair.terminalText}</p>
              <CopyLine text={pair.command} />
            </li>
          </ul>
          <p className="xs dim">{pair.once}</p>
        </div>
      </div>
    </section>
  );
}

function Waits({ confirmedIn }: { confirmedIn: 'page' | 'popover' }): ReactNode {
  const { pairing } = strings.settings;
  return (
    <section className="region" aria-labelledby="h-pair">
      <div className="panel">
        <div className="panel-b wide">
          <div className="part" role="status">
            <h2 id="h-pair" className="t17">
              {pairing.waits}
            </h2>
            <p className="mut">{confirmedIn === 'popover' ? pairing.waitsPopover : pairing.waitsPage}</p>
          </div>
        </div>
      </div>
    </section>
  );
}
