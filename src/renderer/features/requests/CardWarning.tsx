/** Said only when something is hidden: how it looks, over what it really is. */
import { Fragment, type ReactNode } from 'react';
import type { MarkedText } from '../../ui/agent-texts.js';
import { t } from '../../strings.js';
import { Icon } from '../../ui/Icon.js';
import { RevealedSegments } from '../../ui/RevealedText.js';

const MAX_TEXTS = 3;

export function CardWarning({ marked }: { marked: MarkedText[] }): ReactNode {
  const marks = marked.reduce((sum, one) => sum + one.marks, 0);
  return (
    <div className="warn" role="note">
      <Icon name="alert" />
      <div>
        <b>{t('page.card.warning', { count: marks })}</b>
        <dl className="compare">
          {marked.slice(0, MAX_TEXTS).map((one, index) => (
            <Fragment key={index}>
              <dt>{t('page.card.looks')}</dt>
              <dd className="mono raw">
                <bdi>{one.segments.map((segment) => segment.text).join('')}</bdi>
              </dd>
              <dt>{t('page.card.really')}</dt>
              <dd className="mono">
                <bdi className="shown">
                  <RevealedSegments segments={one.segments} />
                </bdi>
              </dd>
            </Fragment>
          ))}
        </dl>
      </div>
    </div>
  );
}
