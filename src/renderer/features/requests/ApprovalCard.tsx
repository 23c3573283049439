/** An approval card, to be read in two seconds: who wants what, where, and two answers of equal weight. */
import { useMemo, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { Actions, GrantChoiceKind } from '../../app/actions.js';
import { hasLongName, markedTexts } from '../../ui/agent-texts.js';
import { toPlainText } from '../../../main/protocol/index.js';
import { useDecidedInPopover } from '../../app/popover.js';
import type { Slot } from '../../state/state.js';
import { agentName } from '../../ui/agent-name.js';
import { say, t } from '../../strings.js';
import { useDraft } from '../chat/drafts.js';
import { CardExact } from './CardExact.js';
import { CardFoot } from './CardFoot.js';
import { CardHead } from './CardHead.js';
import { FullPictureLink } from './CardPicture.js';
import { CardSteps } from './CardSteps.js';
import { CardText } from './CardText.js';
import { CardWarning } from './CardWarning.js';
import { FoldButton } from '../../ui/FoldButton.js';
import { grantKinds } from './GrantChoices.js';
import { Icon } from '../../ui/Icon.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { splitNotes } from './card-notes.js';

export function ApprovalCard({ slot, online, actions }: { slot: Slot; online: boolean; actions: Actions }): ReactNode {
  const { card } = slot;
  const marked = useMemo(() => markedTexts(card), [card]);
  const mustRead = marked.length > 0 || hasLongName(card);
  const [exact, setExact] = useForDigest(card.digest, mustRead);
  const [picked, setPicked] = useState(false);
  const [message, setMessage] = useDraft('denial', card.id);
  const [grant, setGrant] = useForDigest<GrantChoiceKind>(card.digest, 'once');
  const choices = !useDecidedInPopover() && grantKinds(card).length > 1 && card.agentEnded !== true;
  const picking = choices && picked;
  return (
    <>
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
        <DenyMessage card={card} message={message} open={exact || picking} onChange={setMessage} />
      </div>
      <CardFoot
        slot={slot}
        online={online}
        actions={actions}
        grant={grant}
        message={message}
        picking={picking}
        onChoose={setGrant}
        onPick={choices ? () => setPicked(!picking) : null}
      />
    </>
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

interface DenyMessageProps {
  card: Slot['card'];
  message: string;
  /** The card is unfolded: there is room for a message. */
  open: boolean;
  onChange(text: string): void;
}

function DenyMessage({ card, message, open, onChange }: DenyMessageProps): ReactNode {
  const id = `m-${card.id}`;
  if (card.agentEnded === true || card.agent.person === true || (!open && message === '')) return null;
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.currentTarget.closest('article')?.querySelector<HTMLElement>('[data-part="deny"]')?.click();
  };
  return (
    <div className="part rule">
      <label className="small mut" htmlFor={id}>
        {t('page.card.deny_message', { agent: toPlainText(agentName(card.agent)) })}
      </label>
      <input
        className="field"
        id={id}
        maxLength={4000}
        placeholder={t('page.card.deny_placeholder')}
        value={message}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}
