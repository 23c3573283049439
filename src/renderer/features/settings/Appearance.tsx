/** Settings of this browser only: theme and language. */
import { useState, type ReactNode } from 'react';
import { applyTheme, storedTheme, THEMES, type Theme } from '../../app/theme.js';
import { LANGUAGES } from '../../../messages/index.js';
import { LANGUAGE_NAMES, storedLanguage, t } from '../../strings.js';
import { Region } from '../../ui/Region.js';

export function Appearance(): ReactNode {
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
