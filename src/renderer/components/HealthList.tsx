/** What works, what does not, and what to do about it. */
import type { ReactNode } from 'react';
import type { Health } from '../state/state.js';
import { strings } from '../strings.js';
import { Icon, type IconName } from './Icon.js';
import { Shown } from './Shown.js';

type State = Health['permissions'][string];

const LOOKS: Record<State, { icon: IconName; tone: string }> = {
  granted: { icon: 'ok', tone: 'ok' },
  missing: { icon: 'miss', tone: 'bad' },
  stale: { icon: 'alert', tone: 'wait' },
  unknown: { icon: 'minus', tone: '' },
};

export function HealthList({ health, verified }: { health: Health; verified: boolean }): ReactNode {
  const { hostVersion, platform, backend, display } = health;
  return (
    <div className="part">
      <h3 className="h4">{strings.settings.health}</h3>
      <ul className="list">
        {health.issues.map(({ title, fix }) => (
          <li className="perm" key={title}>
            <Icon name="alert" tone="k-wait" />
            <span className="nm wide">
              <Shown text={title} />
            </span>
            <p className="ds">
              <Shown text={fix} />
            </p>
          </li>
        ))}
        {Object.entries(health.permissions).map(([name, state]) => (
          <Line key={name} name={inWords(name)} words={strings.settings.permissions[state]} {...LOOKS[state]} />
        ))}
        <Line
          name={strings.settings.record}
          words={verified ? strings.settings.recordOk : strings.settings.recordBad}
          {...LOOKS[verified ? 'granted' : 'missing']}
        />
      </ul>
      <p className="xs dim">
        <Shown text={strings.settings.version(hostVersion, platform, backend, display)} />
      </p>
    </div>
  );
}

function Line({ name, words, icon, tone }: { name: string; words: string; icon: IconName; tone: string }): ReactNode {
  return (
    <li className="perm">
      <Icon name={icon} tone={`tone-${tone}`} />
      <span className="nm">{name}</span>
      <span className={`out ${tone}`}>{words}</span>
    </li>
  );
}

/** `screenRecording` → `Screen recording`. */
function inWords(name: string): string {
  const spaced = name
    .replace(/[_-]+/g, ' ')
    .replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`);
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
