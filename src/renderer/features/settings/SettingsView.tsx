/** The settings view: policy, grants, excluded applications, retention, and settings of this page. */
import { type ReactNode, useState } from 'react';
import { AlertSettings } from '../alerts/AlertChoices.js';
import { ExcludedApps } from './ExcludedApps.js';
import { FirstStepsLink } from '../setup/FirstSteps.js';
import { GrantList } from './GrantList.js';
import { PolicyChoice } from './PolicyChoice.js';
import { DesktopLimit, RetentionChoice } from './RetentionChoice.js';
import { ViewHeader, Region } from '../../ui/Region.js';
import { t, LANGUAGE_NAMES, storedLanguage } from '../../strings.js';
import type { ViewProps, Actions } from '../../app/actions.js';
import { clockTime } from '../../ui/formats.js';
import type { PairedPage, Habits, ShownPolicy } from '../../../main/protocol/index.js';
import { Button } from '../../ui/Button.js';
import { Icon } from '../../ui/Icon.js';
import { useLoaded, valueOf } from '../../ui/loaded.js';
import { applyTheme, storedTheme, THEMES, type Theme } from '../../app/theme.js';
import { LANGUAGES } from '../../../messages/index.js';

export function SettingsView({ state, actions }: ViewProps): ReactNode {
  const { policy } = state;
  const online = state.connection === 'open';
  return (
    <>
      <ViewHeader title={t('page.views.settings')} />
      {policy === null ? null : (
        <PolicyChoice
          key={policy.preset}
          policy={policy}
          online={online}
          onUse={(preset) => actions.send({ type: 'setPolicy', preset })}
        />
      )}
      <GrantList grants={state.grants} online={online} actions={actions} />
      <OwnHabits online={online} actions={actions} />
      {policy?.excludedApps === undefined ? null : (
        <ExcludedApps excluded={policy.excludedApps} online={online} actions={actions} />
      )}
      {policy === null ? null : <Limits policy={policy} online={online} actions={actions} />}
      <Appearance />
      <AlertSettings popover={state.popover === 'here'} />
      <FirstStepsLink />
      <PairingList
        pairings={state.pairings}
        online={online}
        onUnpair={(keyId) => actions.send({ type: 'revokePairing', keyId })}
      />
    </>
  );
}

interface LimitsProps {
  actions: Actions;
  policy: ShownPolicy;
  online: boolean;
}

function Limits({ policy: { retention, ownDesktops }, online, actions }: LimitsProps): ReactNode {
  return (
    <>
      {retention === undefined ? null : (
        <RetentionChoice
          key={`${retention.maxAgeDays} ${retention.maxBytes}`}
          retention={retention}
          online={online}
          onUse={(retention) => actions.send({ type: 'setRetention', retention })}
        />
      )}
      {ownDesktops === undefined ? null : (
        <DesktopLimit
          most={ownDesktops}
          online={online}
          onUse={(count) => actions.send({ type: 'setOwnDesktops', count })}
        />
      )}
    </>
  );
}

// The paired pages, this one first, with buttons to unpair them.

interface Props {
  pairings: PairedPage[];
  online: boolean;
  onUnpair(keyId: string): void;
}

function PairingList({ pairings, online, onUnpair }: Props): ReactNode {
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

// How the person decided lately, to show hasty approvals.

/** Fewer decisions do not show a habit. */
const MIN_DECISIONS = 10;

function OwnHabits({ online, actions }: { online: boolean; actions: Actions }): ReactNode {
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

// Settings of this browser only: theme and language.

function Appearance(): ReactNode {
  return (
    <Region id="appearance" heading={t('page.settings.appearance.heading')}>
      <div className="panel">
        <div className="panel-b pairs">
          <ThemeChoice />
          <label className="small" htmlFor="language">
            {t('page.settings.appearance.language')}
          </label>
          <select
            className="field"
            id="language"
            defaultValue={storedLanguage.read() ?? ''}
            onChange={(event) => {
              storedLanguage.write(LANGUAGES.find((one) => one === event.target.value) ?? null);
              location.reload();
            }}
          >
            <option value="">{t('page.settings.appearance.as_browser')}</option>
            {LANGUAGES.map((one) => (
              <option key={one} value={one} lang={one}>
                {LANGUAGE_NAMES[one]}
              </option>
            ))}
          </select>
        </div>
      </div>
    </Region>
  );
}

function ThemeChoice(): ReactNode {
  const [chosen, setChosen] = useState(() => storedTheme.read());
  const choose = (next: Theme | null) => {
    storedTheme.write(next);
    applyTheme(next);
    setChosen(next);
  };
  return (
    <>
      <span className="small" id="l-theme">
        {t('page.settings.appearance.theme')}
      </span>
      <div className="segments" role="radiogroup" aria-labelledby="l-theme">
        {[null, ...THEMES].map((one) => (
          <label key={one ?? 'system'}>
            <input type="radio" name="theme" checked={one === chosen} onChange={() => choose(one)} />
            <span>{t(`page.settings.appearance.themes.${one ?? 'system'}`)}</span>
          </label>
        ))}
      </div>
    </>
  );
}
