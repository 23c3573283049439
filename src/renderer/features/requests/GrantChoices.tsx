/** How long an Allow lasts. "Only this time" is always chosen first. */
import type { ReactNode } from 'react';
import type { GrantKind } from '../../app/actions.js';
import type { Card } from '../../state/state.js';
import { say, t } from '../../strings.js';
import { Shown } from '../../ui/Shown.js';

interface Props {
  card: Card;
  chosen: GrantKind;
  onChoose(kind: GrantKind): void;
}

export function GrantChoices({ card, chosen, onChoose }: Props): ReactNode {
  const covered = card.grants.find((choice) => choice.kind === chosen)?.covered ?? null;
  const label = grantLabel(card, chosen);
  return (
    <fieldset className="part rule">
      <legend className="vh">{t('page.card.how_long')}</legend>
      <h4 aria-hidden="true">{t('page.card.how_long')}</h4>
      <div className="opts">
        {grantKinds(card).map((kind) => (
          <label className="opt" key={kind}>
            <input type="radio" name={`g-${card.id}`} checked={kind === chosen} onChange={() => onChoose(kind)} />
            <span className="nm">{grantLabel(card, kind)}</span>
            <span className="ds">
              <Shown text={consequence(card, kind)} />
            </span>
          </label>
        ))}
      </div>
      {covered === null ? null : (
        <p className="small">{t('page.card.covered', { label, would: covered.would, of: covered.of })}</p>
      )}
    </fieldset>
  );
}

/** Only once, when there is nothing to choose. */
export function grantKinds(card: Card): GrantKind[] {
  return ['once', ...card.grants.map((choice) => choice.kind).filter((kind) => kind !== 'once')];
}

export function grantLabel(card: Card, kind: GrantKind): string {
  return hostsWord(card, kind)?.label ?? t('page.card.once');
}

export function consequence(card: Card, kind: GrantKind): string {
  return hostsWord(card, kind)?.consequence ?? t('page.card.once_means');
}

/** What even the least Allow gives for longer than this one time. */
export function remembered(card: Card): string[] {
  const word = hostsWord(card, 'once');
  return word === null ? [] : [word.consequence];
}

/** null: this one time and no longer, for which the page has its own words. */
function hostsWord(card: Card, kind: GrantKind): { label: string; consequence: string } | null {
  const choice = card.grants.find((one) => one.kind === kind);
  if (choice === undefined || (kind === 'once' && choice.label.code === ONCE)) return null;
  return { label: say(choice.label), consequence: say(choice.consequence) };
}

/** The host's label for it; another one says that it is remembered. */
const ONCE = 'grant.once';
