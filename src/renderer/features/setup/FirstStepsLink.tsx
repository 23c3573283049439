/** A link to the introduction. */
import type { ReactNode } from 'react';
import { hrefOf } from '../../app/route.js';
import { t } from '../../strings.js';

export function FirstStepsLink(): ReactNode {
  return (
    <p className="small mut">
      <a href={hrefOf({ view: 'welcome' })}>{t('page.setup.steps.again')}</a>
      {t('page.marks.colon')}
      {t('page.setup.steps.again_text')}
    </p>
  );
}
