/** What each preset asks, side by side; the marked one stands out, and where there is little room only that one is shown. */
import type { ReactNode } from 'react';
import {
  EFFECTS,
  offersGrants,
  PRESET_RULES,
  type Effect,
  type Preset,
  type ShownPolicy,
} from '../../../main/protocol/index.js';
import { effectIcon, effectTone } from '../../ui/effects.js';
import { textIfKnown, t } from '../../strings.js';
import { Icon, type IconName } from '../../ui/Icon.js';
import { Region } from '../../ui/Region.js';

type RuleAnswer = ShownPolicy['effects'][Effect] | 'every';

const ANSWER_ICONS: Record<RuleAnswer, { icon: IconName; tone: string }> = {
  allow: { icon: 'check', tone: 'k-read' },
  ask: { icon: 'hand', tone: 'k-wait' },
  every: { icon: 'hand', tone: 'k-wait' },
  ask_once_per_session: { icon: 'eye', tone: 'k-share' },
  deny: { icon: 'failure', tone: 'k-read' },
};
const OWN_ICONS: Partial<Record<Effect, IconName>> = { read: 'window' };

interface Props {
  policy: ShownPolicy;
  marked: ShownPolicy['preset'];
  choices: readonly Preset[];
}

export function PolicyMatrix({ policy, marked, choices }: Props): ReactNode {
  const own = choices.some((preset) => preset === policy.preset) ? [] : [policy.preset];
  const columns: ShownPolicy['preset'][] = [...choices, ...own];
  return (
    <Region id="matrix" heading={t('page.settings.each')}>
      <div className="list">
        <table className="matrix">
          <thead>
            <tr>
              <th scope="col">{t('page.settings.wants_to')}</th>
              {columns.map((preset) => (
                <th scope="col" key={preset} className={preset === marked ? 'sel' : undefined}>
                  {t(`page.settings.presets.${preset}.name`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {EFFECTS.map((effect) => (
              <tr key={effect}>
                <EffectHeading effect={effect} />
                {columns.map((preset) => (
                  <td key={preset} className={preset === marked ? 'sel' : undefined}>
                    <AnswerText answer={answerOf(effect, preset, policy)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Region>
  );
}

function EffectHeading({ effect }: { effect: Effect }): ReactNode {
  const more = textIfKnown(`page.settings.effects.${effect}.text`);
  return (
    <th scope="row">
      <span className="ic">
        <Icon name={OWN_ICONS[effect] ?? effectIcon({ effect, subject: null })} tone={effectTone(effect)} />
        <span>
          {t(`page.settings.effects.${effect}.name`)}
          {more === null ? null : <small>{more}</small>}
        </span>
      </span>
    </th>
  );
}

function AnswerText({ answer }: { answer: RuleAnswer }): ReactNode {
  const { icon, tone } = ANSWER_ICONS[answer];
  return (
    <span className="out">
      <Icon name={icon} tone={tone} />
      {t(`page.settings.answers.${answer}`)}
    </span>
  );
}

/** A preset that is not of the table is the policy there is. */
function answerOf(effect: Effect, preset: ShownPolicy['preset'], policy: ShownPolicy): RuleAnswer {
  if (preset === 'custom') return policy.effects[effect];
  const rule = PRESET_RULES[preset][effect];
  return rule === 'ask' && (effect === 'dangerous' || !offersGrants(preset)) ? 'every' : rule;
}
