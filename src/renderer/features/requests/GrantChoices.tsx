/** How long an Allow lasts. "Only this time" is always chosen first. */
import type { ReactNode } from 'react';
import type { GrantChoiceKind } from '../../app/actions.js';
import type { Card } from '../../../main/protocol/index.js';
import { say, t } from '../../strings.js';
import { RevealedText } from '../../ui/RevealedText.js';

interface Props {
  card: Card;
  chosen: GrantChoiceKind;
  onChoose(kind: GrantChoiceKind): void;
}

export function GrantChoices({ card, chosen, onChoose }: Props): ReactNode {
  const covered = card.grants.find((choice) => choice.kind === chosen)?.covered ?? null;
  return (
    <fieldset className="part choices">
      <legend className="vh">{t('page.card.how_long')}</legend>
      <h4 aria-hidden="true">{t('page.card.how_long')}</h4>
      <div className="opts">
        {grantKinds(card).map((kind) => (
          <label className="opt" key={kind}>
            <input type="radio" name={`g-${card.id}`} checked={kind === chosen} onChange={() => onChoose(kind)} />
            <span className="name">{grantChoiceLabel(card, kind)}</span>
            <span className="detail">
              <RevealedText text={grantConsequence(card, kind)} />
            </span>
          </label>
        ))}
      </div>
      {card.noAlways === undefined ? null : (
        <p className="small mut">
          <RevealedText text={say(card.noAlways)} />
        </p>
      )}
      {covered === null ? null : (
        <p className="small">{t('page.card.covered', { would: covered.would, of: covered.of })}</p>
      )}
    </fieldset>
  );
}

/** Only once, when there is nothing to choose. */
export function grantKinds(card: Card): GrantChoiceKind[] {
  return ['once', ...card.grants.map((choice) => choice.kind).filter((kind) => kind !== 'once')];
}

export function grantChoiceLabel(card: Card, kind: GrantChoiceKind): string {
  return hostTexts(card, kind)?.label ?? t('page.card.once');
}

export function grantConsequence(card: Card, kind: GrantChoiceKind): string {
  return hostTexts(card, kind)?.consequence ?? t('page.card.once_means');
}

/** What even the shortest Allow grants beyond this one time. */
export function rememberedTexts(card: Card): string[] {
  const texts = hostTexts(card, 'once');
  return texts === null ? [] : [texts.consequence];
}

/** null: this one time and no longer, for which the page has its own words. */
function hostTexts(card: Card, kind: GrantChoiceKind): { label: string; consequence: string } | null {
  const choice = card.grants.find((one) => one.kind === kind);
  if (choice === undefined || (kind === 'once' && choice.label.code === ONCE)) return null;
  return { label: say(choice.label), consequence: say(choice.consequence) };
}

/** The host's label for it; another one says that it is remembered. */
const ONCE = 'grant.once';
