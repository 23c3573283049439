/** Limits: how many desktops agents have of their own, and when old evidence is deleted. There, choosing only selects; a second press applies it, because it deletes old evidence at once. */
import { useState, type ReactNode } from 'react';
import { OWN_DESKTOPS, type Retention } from '../../../main/protocol/index.js';
import { fileSize } from '../../ui/formats.js';
import { t } from '../../strings.js';
import { Button } from '../../ui/Button.js';
import { Region } from '../../ui/Region.js';

const AGES: readonly (number | null)[] = [null, 7, 30, 90, 365];
const GIGABYTE = 1_000_000_000;
const SIZES: readonly (number | null)[] = [null, GIGABYTE, 5 * GIGABYTE, 20 * GIGABYTE, 100 * GIGABYTE];

interface Props {
  retention: Retention;
  online: boolean;
  onUse(retention: Retention): void;
}

export function RetentionChoice({ retention, online, onUse }: Props): ReactNode {
  const [marked, setMarked] = useState(retention);
  const changed = marked.maxAgeDays !== retention.maxAgeDays || marked.maxBytes !== retention.maxBytes;
  return (
    <Region id="retention" heading={t('page.settings.retention.heading')}>
      <p className="small mut">{t('page.settings.retention.text')}</p>
      <div className="panel">
        <div className="panel-b pairs">
          <Choice
            id="max-age"
            label={t('page.settings.retention.age')}
            value={marked.maxAgeDays}
            values={AGES}
            name={(days) =>
              days === null ? t('page.settings.retention.never') : t('page.settings.retention.days', { days })
            }
            onChange={(maxAgeDays) => setMarked({ ...marked, maxAgeDays })}
          />
          <Choice
            id="max-bytes"
            label={t('page.settings.retention.size')}
            value={marked.maxBytes}
            values={SIZES}
            name={(bytes) => (bytes === null ? t('page.settings.retention.no_limit') : fileSize(bytes))}
            onChange={(maxBytes) => setMarked({ ...marked, maxBytes })}
          />
          {changed ? <ApplyButton online={online} onUse={() => onUse(marked)} /> : null}
        </div>
      </div>
    </Region>
  );
}

function ApplyButton({ online, onUse }: { online: boolean; onUse(): void }): ReactNode {
  return (
    <div className="decide all">
      <Button disabled={!online} onClick={() => onUse()}>
        {t('page.settings.retention.use')}
      </Button>
      <span className="small mut">{t('page.settings.retention.at_once')}</span>
    </div>
  );
}

interface ChoiceProps {
  id: string;
  label: string;
  value: number | null;
  values: readonly (number | null)[];
  name(value: number | null): string;
  onChange(value: number | null): void;
}

/** A value from a file of the person's own is offered beside the usual ones. */
function Choice({ id, label, value, values, name, onChange }: ChoiceProps): ReactNode {
  const all = values.includes(value) ? values : [...values, value];
  return (
    <>
      <label className="small" htmlFor={id}>
        {label}
      </label>
      <select
        className="field"
        id={id}
        value={all.indexOf(value)}
        onChange={(event) => onChange(all[Number(event.target.value)] ?? null)}
      >
        {all.map((one, index) => (
          <option key={index} value={index}>
            {name(one)}
          </option>
        ))}
      </select>
    </>
  );
}

const COUNTS = [1, 2, 3, 5, OWN_DESKTOPS.usual, OWN_DESKTOPS.most];

/** For the next agent that asks: what is open stays. */
export function DesktopLimit(props: { most: number; online: boolean; onUse(count: number): void }): ReactNode {
  const { most, online, onUse } = props;
  return (
    <Region id="own-desktops" heading={t('page.settings.own_desktops.heading')}>
      <p className="small mut">{t('page.settings.own_desktops.text')}</p>
      <div className="panel">
        <div className="panel-b pairs">
          <Choice
            id="own-desktops-most"
            label={t('page.settings.own_desktops.most')}
            value={most}
            values={COUNTS}
            name={(count) => String(count)}
            onChange={(count) => void (online && count !== null && onUse(count))}
          />
        </div>
      </div>
    </Region>
  );
}
