/** The button for an Allow that lasts, and the menu that says for how long. Nothing moves when it opens, or when its label changes. */
import { useId, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import type { GrantChoiceKind } from '../../app/actions.js';
import type { Card } from '../../../main/protocol/index.js';
import { say, t } from '../../strings.js';
import { isRed } from '../../ui/effects.js';
import { Icon } from '../../ui/Icon.js';
import { RevealedText } from '../../ui/RevealedText.js';
import type { ArmingAttributes } from './HoldButton.js';
import type { PressProps } from './press.js';

export interface Lasting {
  card: Card;
  chosen: GrantChoiceKind;
  open: boolean;
  onChoose(kind: GrantChoiceKind): void;
  onOpen(open: boolean): void;
}

interface Props extends Lasting {
  titleId: string;
  state: ArmingAttributes;
  press: PressProps;
}

export function LastingAllow({ card, chosen, open, onChoose, onOpen, titleId, state, press }: Props): ReactNode {
  const menu = useId();
  const kinds = lastingKinds(card);
  return (
    <div className="split">
      {open ? <Menu {...{ card, chosen, onChoose, onOpen }} id={menu} /> : null}
      <button type="button" className="btn" data-part="allow-lasting" aria-describedby={titleId} {...state} {...press}>
        <Icon name="check" />
        <span className="stack">
          {kinds.map((kind) => (
            <span key={kind} data-off={kind === chosen ? undefined : ''}>
              <RevealedText text={grantChoiceLabel(card, kind)} />
            </span>
          ))}
        </span>
      </button>
      <button
        type="button"
        className="btn pick"
        aria-expanded={open}
        aria-controls={open ? menu : undefined}
        aria-label={t('page.card.how_long')}
        title={t('page.card.how_long')}
        onClick={() => onOpen(!open)}
      >
        <Icon name="down" />
      </button>
    </div>
  );
}

function Menu({ card, chosen, onChoose, onOpen, id }: Omit<Lasting, 'open'> & { id: string }): ReactNode {
  const onKeyDown = ({ key }: KeyboardEvent) => key === 'Enter' && onOpen(false);
  const choose = (event: MouseEvent, kind: GrantChoiceKind) => {
    event.preventDefault();
    onChoose(kind);
    onOpen(false);
  };
  return (
    <fieldset className="part choices" id={id} onKeyDown={onKeyDown}>
      <legend className="vh">{t('page.card.how_long')}</legend>
      <div className="opts">
        {lastingKinds(card).map((kind) => (
          // By the pointer it closes; the keys of a radio group choose each on their way.
          <label className="opt" key={kind} onClick={(event) => event.detail > 0 && choose(event, kind)}>
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
    </fieldset>
  );
}

/** What the chosen one gives, and what it would have saved. The longest text keeps the place of the buttons. */
export function LastingText({ card, chosen }: { card: Card; chosen: GrantChoiceKind }): ReactNode {
  return (
    <p className="small mut stack">
      {lastingKinds(card).map((kind) => (
        <span key={kind} data-off={kind === chosen ? undefined : ''}>
          <RevealedText text={[grantConsequence(card, kind), ...savedTexts(card, kind)].join(' ')} />
        </span>
      ))}
    </p>
  );
}

function savedTexts(card: Card, kind: GrantChoiceKind): string[] {
  const covered = card.grants.find((choice) => choice.kind === kind)?.covered ?? null;
  return covered === null ? [] : [t('page.card.covered', { would: covered.would, of: covered.of })];
}

export const lastingKinds = (card: Card): GrantChoiceKind[] =>
  card.grants.map(({ kind }) => kind).filter((kind) => kind !== 'once');

export function grantChoiceLabel(card: Card, kind: GrantChoiceKind): string {
  return hostTexts(card, kind)?.label ?? t('page.card.once');
}

function grantConsequence(card: Card, kind: GrantChoiceKind): string {
  return hostTexts(card, kind)?.consequence ?? t('page.card.once_means');
}

/** Whether the plain Allow is for this one time. */
export const isOnce = (card: Card): boolean => !isRed(card) && hostTexts(card, 'once') === null;

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
