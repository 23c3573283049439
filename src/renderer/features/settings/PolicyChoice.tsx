/** The policy in plain words. Choosing only selects; a second press applies it, so that an arrow key cannot widen the policy. */
import { useState, type ReactNode } from 'react';
import type { ChoosablePreset } from '../../app/actions.js';
import {
  type ShownPolicy,
  EFFECTS,
  offersGrants,
  PRESET_RULES,
  type Effect,
  type Preset,
} from '../../../main/protocol/index.js';
import { t, textIfKnown } from '../../strings.js';
import { Button } from '../../ui/Button.js';
import { CommandText } from '../../ui/commands.js';
import { Region } from '../../ui/Region.js';
import { effectIcon, effectTone } from '../../ui/effects.js';
import { Icon, type IconName } from '../../ui/Icon.js';

const CHOICES: readonly ChoosablePreset[] = ['standard', 'strict', 'readonly'];

interface Props {
  policy: ShownPolicy;
  online: boolean;
  onUse(preset: ChoosablePreset): void;
}

export function PolicyChoice({ policy, online, onUse }: Props): ReactNode {
  const [marked, setMarked] = useState<ShownPolicy['preset']>(policy.preset);
  const changed = CHOICES.find((preset) => preset === marked && preset !== policy.preset);
  const shown = [...CHOICES, policy.preset].filter((preset, index, all) => all.indexOf(preset) === index);
  return (
    <>
      <Region id="policy" heading={t('page.settings.when')}>
        <fieldset className="opts panel">
          <legend className="vh">{t('page.settings.when')}</legend>
          {shown.map((preset) => (
            <label className="opt" key={preset}>
              <input type="radio" name="preset" checked={preset === marked} onChange={() => setMarked(preset)} />
              <span className="name">{t(`page.settings.presets.${preset}.name`)}</span>
              <span className="detail">{t(`page.settings.presets.${preset}.text`)}</span>
            </label>
          ))}
          {policy.preset === 'unattended' ? null : <Unattended />}
        </fieldset>
        {changed === undefined ? null : (
          <div className="decide">
            <Button disabled={!online} onClick={() => onUse(changed)}>
              {t('page.settings.use', { name: t(`page.settings.presets.${changed}.name`) })}
            </Button>
            <span className="small mut">
              {t('page.settings.until', { name: t(`page.settings.presets.${policy.preset}.name`) })}
            </span>
          </div>
        )}
      </Region>
      <PolicyMatrix policy={policy} marked={marked} choices={CHOICES} />
    </>
  );
}

/** Shown for information; it cannot be chosen here. */
function Unattended(): ReactNode {
  return (
    <label className="opt off">
      <input type="radio" name="preset" disabled />
      <span className="name">{t('page.settings.presets.unattended.name')}</span>
      <span className="detail">
        {t('page.settings.presets.unattended.text')} <CommandText text="chaperone host --policy unattended" />
      </span>
    </label>
  );
}

type RuleAnswer = ShownPolicy['effects'][Effect] | 'every';

const ANSWER_ICONS: Record<RuleAnswer, { icon: IconName; tone: string }> = {
  allow: { icon: 'check', tone: 'k-read' },
  ask: { icon: 'hand', tone: 'k-wait' },
  every: { icon: 'hand', tone: 'k-wait' },
  ask_once_per_session: { icon: 'eye', tone: 'k-share' },
  deny: { icon: 'failure', tone: 'k-read' },
};
const OWN_ICONS: Partial<Record<Effect, IconName>> = { read: 'window' };

interface MatrixProps {
  policy: ShownPolicy;
  marked: ShownPolicy['preset'];
  choices: readonly Preset[];
}

/** What each preset asks, side by side; the marked one stands out, and where there is little room only that one is shown. */
function PolicyMatrix({ policy, marked, choices }: MatrixProps): ReactNode {
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
