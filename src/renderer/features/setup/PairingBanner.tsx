/** Says which other pages were paired, until dismissed, so that no page is paired unnoticed. */
import type { ReactNode } from 'react';
import type { Actions } from '../../app/actions.js';
import { hrefOf } from '../../app/route.js';
import { clockTime } from '../../ui/time.js';
import type { PairingNews } from '../../../main/protocol/index.js';
import { t } from '../../strings.js';
import { BannerFrame } from '../../ui/Banner.js';
import { Button } from '../../ui/Button.js';
import { RevealedText } from '../../ui/RevealedText.js';

interface Props {
  news: readonly PairingNews[];
  actions: Pick<Actions, 'send'>;
}

export function PairingBanner({ news, actions }: Props): ReactNode {
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
