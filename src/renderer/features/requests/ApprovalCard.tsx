/** An approval card, to be read in two seconds: who wants what, where, and two answers of equal weight. */
import { useMemo, useState, type ReactNode } from 'react';
import type { Actions, GrantChoiceKind } from '../../app/actions.js';
import { hasLongName, markedTexts } from '../../ui/agent-texts.js';
import { toPlainText } from '../../../main/protocol/index.js';
import { useDecidedInPopover } from '../../app/popover.js';
import type { Slot } from '../../state/state.js';
import { agentName } from '../../ui/agent-name.js';
import { say, t } from '../../strings.js';
import { CardExact } from './CardExact.js';
import { CardFoot } from './CardFoot.js';
import { CardHead } from './CardHead.js';
import { FullPictureLink } from './CardPicture.js';
import { CardSteps } from './CardSteps.js';
import { CardText } from './CardText.js';
import { CardWarning } from './CardWarning.js';
import { FoldButton } from '../../ui/FoldButton.js';
import { GrantChoices, grantKinds } from './GrantChoices.js';
import { Icon } from '../../ui/Icon.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { splitNotes } from './card-notes.js';

export function ApprovalCard({ slot, online, actions }: { slot: Slot; online: boolean; actions: Actions }): ReactNode {
  const { card } = slot;
  const marked = useMemo(() => markedTexts(card), [card]);
  const mustRead = marked.length > 0 || hasLongName(card);
  const [exact, setExact] = useForDigest(card.digest, mustRead);
  /** null: shown together with the exact request. */
  const [picked, setPicked] = useState<boolean | null>(null);
  const [grant, setGrant] = useForDigest<GrantChoiceKind>(card.digest, 'once');
  const elsewhere = useDecidedInPopover();
  const choices = grantKinds(card).length > 1 && !elsewhere && card.agentEnded !== true;
  const picking = choices && (picked ?? exact);
  return (
    <div className="card-in">
      {slot.changed ? <CardNote icon="alert" tone="wait" text={t('page.card.changed')} /> : null}
      <CardHead card={card} online={online} />
      {card.picture === null ? null : <FullPictureLink picture={card.picture} card={card} />}
      {card.steps === undefined ? null : <CardSteps steps={card.steps} card={card} />}
      {card.text === null ? (
        <Notes notes={splitNotes(card.notes).shown.map(say)} />
      ) : (
        <CardText text={card.text} card={card} />
      )}
      {card.orphaned ? <CardNote icon="clock" tone="" text={callEndedText(card)} /> : null}
      {marked.length === 0 ? null : <CardWarning marked={marked} />}
      <ExactRequest card={card} open={exact} onToggle={() => setExact(!exact)} />
      {picking ? <GrantChoices card={card} chosen={grant} onChoose={setGrant} /> : null}
      <CardFoot
        slot={slot}
        online={online}
        actions={actions}
        grant={grant}
        open={exact || picking}
        picking={picking}
        onPick={choices ? () => setPicked(!picking) : null}
      />
    </div>
  );
}

interface ExactProps {
  card: Slot['card'];
  open: boolean;
  onToggle(): void;
}

function ExactRequest({ card, open, onToggle }: ExactProps): ReactNode {
  return (
    <div className="exact" data-fold={open ? 'open' : 'closed'}>
      <FoldButton open={open} label={t('page.card.exact')} part="exact" onToggle={onToggle} />
      {open ? <CardExact card={card} /> : null}
    </div>
  );
}

/** State that is reset when the card's digest changes. */
function useForDigest<T>(digest: string, start: T): [T, (value: T) => void] {
  const [kept, keep] = useState({ digest, value: start });
  return [kept.digest === digest ? kept.value : start, (value) => keep({ digest, value })];
}

function callEndedText({ agent, agentEnded }: Slot['card']): string {
  const name = toPlainText(agentName(agent));
  return agentEnded === true ? t('page.card.agent_ended', { agent: name }) : t('page.card.orphaned', { agent: name });
}

function Notes({ notes }: { notes: string[] }): ReactNode {
  return notes.map((note) => <CardNote key={note} icon="note" tone="" text={note} />);
}

function CardNote({ icon, tone, text }: { icon: 'alert' | 'clock' | 'note'; tone: string; text: string }): ReactNode {
  return (
    <p className={`note ${tone}`}>
      <Icon name={icon} />
      <span>
        <RevealedText text={text} />
      </span>
    </p>
  );
}
