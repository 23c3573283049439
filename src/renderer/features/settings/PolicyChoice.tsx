/** The policy in plain words. Choosing only selects; a second press applies it, so that an arrow key cannot widen the policy. */
import { useState, type ReactNode } from 'react';
import type { ChoosablePreset } from '../../app/actions.js';
import type { ShownPolicy } from '../../../main/protocol/index.js';
import { t } from '../../strings.js';
import { Button } from '../../ui/Button.js';
import { PolicyMatrix } from './PolicyMatrix.js';
import { CommandText } from '../../ui/commands.js';
import { Region } from '../../ui/Region.js';

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
