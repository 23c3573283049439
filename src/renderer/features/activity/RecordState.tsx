/** Whether the record is unchanged, as far as the host has checked it. */
import type { ReactNode } from 'react';
import type { Status } from '../../../main/protocol/index.js';
import { t } from '../../strings.js';
import { Icon } from '../../ui/Icon.js';

export function RecordState({ status }: { status: Status }): ReactNode {
  const { recordVerified: verified, recordChecking: percent } = status;
  if (percent !== undefined) return <span className="end out mut">{t('page.activity.checking', { percent })}</span>;
  return (
    <span className={`end out ${verified ? 'ok' : 'bad'}`}>
      <Icon name={verified ? 'shield' : 'alert'} />
      {verified ? t('page.activity.verified') : t('page.activity.broken')}
    </span>
  );
}
