/** The paired pages, this one first, with buttons to unpair them. */
import type { ReactNode } from 'react';
import { clockTime } from '../../ui/time.js';
import type { PairedPage } from '../../../main/protocol/index.js';
import { t } from '../../strings.js';
import { Button } from '../../ui/Button.js';
import { Icon } from '../../ui/Icon.js';
import { Region } from '../../ui/Region.js';

interface Props {
  pairings: PairedPage[];
  online: boolean;
  onUnpair(keyId: string): void;
}

export function PairingList({ pairings, online, onUnpair }: Props): ReactNode {
  if (pairings.length === 0) return null;
  const sorted = pairings.toSorted((a, b) => Number(b.here) - Number(a.here));
  return (
    <Region id="pairings" heading={t('page.settings.paired_pages')}>
      <ul className="list">
        {sorted.map((page) => (
          <li className="item" key={page.keyId}>
            <Icon name="link" />
            <span className="name">{page.here ? t('page.settings.this_page') : t('page.settings.other_page')}</span>
            <Button
              variant="sm"
              disabled={!online}
              aria-describedby={`paired-${page.keyId}`}
              onClick={() => onUnpair(page.keyId)}
            >
              {t('page.settings.unpair')}
            </Button>
            <p className="detail" id={`paired-${page.keyId}`}>
              {describe(page)}
            </p>
          </li>
        ))}
      </ul>
    </Region>
  );
}

function describe({ pairedAt, by, here, lastSeenAt }: PairedPage): string {
  const paired = t('page.settings.paired_at', { time: clockTime(pairedAt), by: by === 'popover' ? by : 'other' });
  if (here) return paired;
  return `${paired}${t('page.marks.comma')}${t('page.settings.last_seen', { time: clockTime(lastSeenAt) })}`;
}
