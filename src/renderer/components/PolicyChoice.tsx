/** The policy in plain words. Choosing only marks; a second press changes it, so that an arrow key never widens anything. */
import { useState, type ReactNode } from 'react';
import { EFFECTS } from '../../main/protocol/index.js';
import type { Preset } from '../page/actions.js';
import { effectIcon, effectTone } from '../page/effects.js';
import type { ShownPolicy } from '../state/state.js';
import { strings } from '../strings.js';
import { Button } from './Button.js';
import { Icon, type IconName } from './Icon.js';

const { presets, effects, answers } = strings.settings;
const CHOICES: readonly Preset[] = ['standard', 'strict', 'readonly'];
type Answer = keyof typeof answers;
const ANSWER_LOOKS: Record<Answer, { icon: IconName; tone: string }> = {
  allow: { icon: 'check', tone: '' },
  ask: { icon: 'hand', tone: 'wait' },
  ask_once_per_session: { icon: 'eye', tone: 'share' },
  deny: { icon: 'miss', tone: '' },
};

interface Props {
  policy: ShownPolicy;
  online: boolean;
  onUse(preset: Preset): void;
}

export function PolicyChoice({ policy, online, onUse }: Props): ReactNode {
  const [marked, setMarked] = useState<ShownPolicy['preset']>(policy.preset);
  const changed = CHOICES.find((preset) => preset === marked && preset !== policy.preset);
  const shown = [...CHOICES, policy.preset].filter((preset, index, all) => all.indexOf(preset) === index);
  return (
    <fieldset className="part">
      <legend className="h4">{strings.settings.when}</legend>
      <div className="opts panel">
        {shown.map((preset) => (
          <label className="opt" key={preset}>
            <input type="radio" name="preset" checked={preset === marked} onChange={() => setMarked(preset)} />
            <span className="nm">{presets[preset][0]}</span>
            <span className="ds">{presets[preset][1]}</span>
          </label>
        ))}
      </div>
      {changed === undefined ? null : (
        <div>
          <Button look="sm" dead={!online} onClick={() => onUse(changed)}>
            {strings.settings.use(presets[changed][0])}
          </Button>
        </div>
      )}
      <AsksNow policy={policy} />
    </fieldset>
  );
}

function AsksNow({ policy }: { policy: ShownPolicy }): ReactNode {
  return (
    <>
      <h3 className="h4">{strings.settings.nowAsks}</h3>
      <ul className="list asks">
        {EFFECTS.map((effect) => {
          const answer = policy.effects[effect];
          const { icon, tone } = ANSWER_LOOKS[answer];
          return (
            <li key={effect}>
              <Icon name={effectIcon(effect, '')} tone={effectTone(effect)} />
              <span>{effects[effect]}</span>
              <span className={`out ${tone}`}>
                <Icon name={icon} />
                {answers[answer]}
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}
