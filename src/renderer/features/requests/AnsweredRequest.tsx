/** The result of an answered card: who, what, and how it ended. */
import type { ReactNode } from 'react';
import type { Card } from '../../../main/protocol/index.js';
import type { Settled } from '../../state/state.js';
import { t } from '../../strings.js';
import { effectIcon } from '../../ui/effects.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { useDraft } from '../chat/drafts.js';
import { AskerName, TitleText } from './CardHead.js';
import { Icon, type IconName } from '../../ui/Icon.js';

interface Props {
  card: Card;
  settled: Settled;
  titleId?: string;
}

export function AnsweredRequest({ card, settled, titleId = `t-${card.id}` }: Props): ReactNode {
  const { icon, tone, words } = ending(settled);
  const [draft] = useDraft('denial', card.id);
  const unsent = draft.trim() !== (settled.message ?? '') ? draft.trim() : '';
  return (
    <div className={unsent === '' ? 'answered-request' : 'answered-request with-unsent'}>
      <Icon name={effectIcon(card)} />
      <span id={titleId}>
        <b>
          <AskerName agent={card.agent} />
        </b>
        {t('page.marks.comma')}
        <TitleText subject={card.subject} lower />
      </span>
      <span className={`end out ${tone}`}>
        <Icon name={icon} />
        {words}
      </span>
      {unsent === '' ? null : (
        <p className="small mut unsent">
          <RevealedText text={t('page.answered.unsent', { text: unsent })} />
        </p>
      )}
    </div>
  );
}

function ending(settled: Settled): { icon: IconName; tone: string; words: string } {
  if (settled.decision === 'allow')
    return { icon: 'check', tone: 'ok', words: t('page.answered.allowed') + where(settled.by) };
  if (settled.reason === 'timeout') return { icon: 'clock', tone: '', words: t('page.answered.timeout') };
  if (settled.reason === 'withdrawn') return { icon: 'minus', tone: '', words: t('page.answered.withdrawn') };
  if (settled.reason === 'gone') return { icon: 'minus', tone: '', words: t('page.answered.gone') };
  return { icon: 'x', tone: '', words: t('page.answered.denied') + where(settled.by) };
}

function where(by: string): string {
  return by === 'popover' ? t('page.answered.elsewhere') : '';
}
