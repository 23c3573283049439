/** How the person decided lately, to show hasty approvals. */
import { useEffect, useState, type ReactNode } from 'react';
import type { Habits } from '../../../main/protocol/index.js';
import type { Actions } from '../../app/actions.js';
import { t } from '../../strings.js';
import { Icon } from '../../ui/Icon.js';

/** Fewer decisions do not show a habit. */
const MIN_DECISIONS = 10;

export function OwnHabits({ online, actions }: { online: boolean; actions: Actions }): ReactNode {
  const habits = useHabits(online, actions);
  if (habits === null) return null;
  return (
    <section className="region" aria-labelledby="h-habits">
      <div className="region-h">
        <h2 id="h-habits">{t('page.settings.habits.heading')}</h2>
      </div>
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
    </section>
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

function useHabits(online: boolean, { ask }: Pick<Actions, 'ask'>): Habits | null {
  const [habits, setHabits] = useState<Habits | null>(null);
  useEffect(() => {
    if (!online) return undefined;
    let gone = false;
    ask('habits', {}).then(
      (answer) => void (gone || setHabits(answer.habits)),
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [online, ask]);
  return habits;
}
