/** Whether the record was unchanged when the host last checked it. */
import type { ReactNode } from 'react';
import { t } from '../../strings.js';
import { Icon } from '../../ui/Icon.js';

export function RecordState({ verified }: { verified: boolean }): ReactNode {
  return (
    <span className={`end out ${verified ? 'ok' : 'bad'}`}>
      <Icon name={verified ? 'shield' : 'alert'} />
      {verified ? t('page.activity.verified') : t('page.activity.broken')}
    </span>
  );
}
