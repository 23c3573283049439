/** How the person decided lately, to show hasty approvals. */
import type { ReactNode } from 'react';
import type { Habits } from '../../../main/protocol/index.js';
import type { Actions } from '../../app/actions.js';
import { t } from '../../strings.js';
import { useLoaded, valueOf } from '../../ui/loaded.js';
import { Icon } from '../../ui/Icon.js';
import { Region } from '../../ui/Region.js';

/** Fewer decisions do not show a habit. */
const MIN_DECISIONS = 10;

export function OwnHabits({ online, actions }: { online: boolean; actions: Actions }): ReactNode {
  const load = async () => (await actions.ask('habits', {})).habits;
  const habits = valueOf(useLoaded(online ? load : null, 'habits'));
  if (habits === null) return null;
  return (
    <Region id="habits" heading={t('page.settings.habits.heading')}>
      <div className="panel">
        <div className="panel-b">
          {habits.asked === 0 ? (
            <p className="small mut">{t('page.settings.habits.nothing', { days: habits.days })}</p>
          ) : (
            <>
              <p className="num">
                {t('page.settings.habits.asked', {
                  days: habits.days,
                  asked: habits.asked,
                  allowed: habits.allowed,
                  share: habits.allowed / habits.asked,
                  unanswered: habits.unanswered,
                })}
              </p>
              {habits.medianMs === null ? null : (
                <p className="small mut num">
                  {t('page.settings.habits.median', { seconds: habits.medianMs / 1000, hasty: habits.hasty })}
                </p>
              )}
              <Judgement habits={habits} />
            </>
          )}
        </div>
      </div>
    </Region>
  );
}

function Judgement({ habits }: { habits: Habits }): ReactNode {
  if (habits.asked < MIN_DECISIONS) return <p className="xs dim">{t('page.settings.habits.few')}</p>;
  if (habits.hasty * 2 <= habits.allowed) return null;
  return (
    <p className="out wait wrap">
      <Icon name="alert" />
      <span>{t('page.settings.habits.hasty')}</span>
    </p>
  );
}
