/** On an unpaired page: why it cannot approve, and the two ways to pair it. */
import type { ReactNode } from 'react';
import { t } from '../../strings.js';
import { CopyLine } from '../../ui/commands.js';
import { Icon } from '../../ui/Icon.js';
import type { Actions } from '../../app/actions.js';
import { hrefOf } from '../../app/route.js';
import { clockTime } from '../../ui/formats.js';
import type { PairingNews } from '../../../main/protocol/index.js';
import { BannerFrame } from '../../ui/Banner.js';
import { Button } from '../../ui/Button.js';
import { RevealedText } from '../../ui/RevealedText.js';

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

interface BannerProps {
  news: readonly PairingNews[];
  actions: Pick<Actions, 'send'>;
}

/** Says which other pages were paired, until dismissed, so that no page is paired unnoticed. */
export function PairingBanner({ news, actions }: BannerProps): ReactNode {
  if (news.length === 0) return null;
  const title = news.some(({ before }) => !before)
    ? t('page.settings.pairing.another')
    : t('page.settings.pairing.earlier');
  const action = (
    <span className="acts">
      <a className="btn sm" href={hrefOf({ view: 'settings' })}>
        {t('page.views.settings')}
      </a>
      <Button
        variant="sm"
        onClick={() => actions.send({ type: 'dismissPairings', keyIds: news.map(({ keyId }) => keyId).slice(0, 200) })}
      >
        {t('page.banner.dismiss')}
      </Button>
    </span>
  );
  return (
    <div data-part="pairing-news">
      <BannerFrame tone="wait" icon="link" title={title} role="status" action={action}>
        <span className="lines">
          {news.map((one) => (
            <span key={`${one.keyId} ${one.pairedAt}`}>
              <RevealedText text={describe(one)} />
            </span>
          ))}
          <span>{t('page.settings.pairing.check')}</span>
        </span>
      </BannerFrame>
    </div>
  );
}

function describe({ pairedAt, by, browser, endedAt }: PairingNews): string {
  const parts = [
    t('page.settings.paired_at', { time: clockTime(pairedAt), by: by === 'popover' ? by : 'other' }),
    ...(browser === null || browser === undefined ? [] : [t('page.settings.pairing.in_browser', { browser })]),
    ...(endedAt === null ? [] : [t('page.settings.pairing.ended', { time: clockTime(endedAt) })]),
  ];
  return `${parts.join(t('page.marks.comma'))}${t('page.marks.stop')}`;
}
