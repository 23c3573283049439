/** An approval card, to be read in two seconds: who wants what, where, and two answers of equal weight. */
import { useMemo, useState, type KeyboardEvent, type ReactNode, Fragment } from 'react';
import type { Actions, GrantChoiceKind } from '../../app/actions.js';
import { hasLongName, LONG_NAME, markedTexts, type MarkedText, useAgentName, type NameOf } from '../../ui/agents.js';
import { toPlainText, type Card } from '../../../main/protocol/index.js';
import { useDecidedInPopover } from '../../app/popover.js';
import type { Slot } from '../../state/state.js';
import { say, t } from '../../strings.js';
import { useDraft } from '../chat/drafts.js';
import { CardExact, splitNotes } from './CardExact.js';
import { CardFoot } from './CardFoot.js';
import { CardHead } from './CardHead.js';
import { DesktopFoot } from './DesktopFoot.js';
import { FullPictureLink } from './CardPicture.js';
import { CardSteps } from './CardSteps.js';
import { FoldButton } from '../../ui/Button.js';
import { lastingKinds } from './GrantChoices.js';
import { isRed } from '../../ui/effects.js';
import { Icon } from '../../ui/Icon.js';
import { RevealedText, RevealedSegments } from '../../ui/RevealedText.js';
import { TaskFields } from './TaskFields.js';

export function ApprovalCard({ slot, online, actions }: { slot: Slot; online: boolean; actions: Actions }): ReactNode {
  const { card } = slot;
  const nameOf = useAgentName();
  const marked = useMemo(() => markedTexts(card), [card]);
  const mustRead = marked.length > 0 || hasLongName(card);
  const [exact, setExact] = useForDigest(card.digest, mustRead);
  const [picked, setPicked] = useState(false);
  const [message, setMessage] = useDraft('denial', card.id);
  const [first = 'once'] = lastingKinds(card);
  const [chosen, onChoose] = useForDigest<GrantChoiceKind>(card.digest, first);
  const lasts = !useDecidedInPopover() && first !== 'once' && !isRed(card) && card.agentEnded !== true;
  const lasting = lasts ? { card, chosen, open: picked, onChoose, onOpen: setPicked } : null;
  return (
    <>
      <div className="card-in">
        {slot.changed ? <CardNote icon="alert" tone="wait" text={t('page.card.changed')} /> : null}
        <CardHead card={card} online={online} actions={actions} />
        {card.task === undefined ? null : <TaskFields card={card} task={card.task} online={online} actions={actions} />}
        {card.picture === null ? null : <FullPictureLink picture={card.picture} card={card} />}
        {card.steps === undefined ? null : <CardSteps steps={card.steps} card={card} />}
        {card.text === null || isInTitle(card) ? (
          <Notes notes={splitNotes(card.notes).shown.map(say)} />
        ) : (
          <CardText text={card.text} card={card} />
        )}
        {card.orphaned ? <CardNote icon="clock" tone="" text={callEndedText(card, nameOf)} /> : null}
        {marked.length === 0 ? null : <CardWarning marked={marked} />}
        <ExactRequest card={card} open={exact} onToggle={() => setExact(!exact)} />
        <DenyMessage card={card} message={message} open={exact} onChange={setMessage} />
      </div>
      {card.desktops === true ? (
        <DesktopFoot {...{ slot, online, actions, message }} />
      ) : (
        <CardFoot {...{ slot, online, actions, message, lasting }} />
      )}
    </>
  );
}

/** A short command is the title already. */
const isInTitle = ({ tool, text, subject }: Card): boolean =>
  COMMAND.test(tool) && text !== null && text === subject.target && text.length <= LONG_NAME;

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

export function callEndedText({ agent, agentEnded }: Slot['card'], nameOf: NameOf): string {
  const name = toPlainText(nameOf(agent));
  return agentEnded === true ? t('page.card.agent_ended', { agent: name }) : t('page.card.orphaned', { agent: name });
}

function Notes({ notes }: { notes: string[] }): ReactNode {
  return notes.map((note) => <CardNote key={note} icon="note" tone="" text={note} />);
}

export function CardNote({
  icon,
  tone,
  text,
}: {
  icon: 'alert' | 'clock' | 'note';
  tone: string;
  text: string;
}): ReactNode {
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

export function DenyMessage({ card, message, open, onChange }: DenyMessageProps): ReactNode {
  const id = `m-${card.id}`;
  const nameOf = useAgentName();
  if (card.agentEnded === true || card.agent.person === true || (!open && message === '')) return null;
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.currentTarget.closest('article')?.querySelector<HTMLElement>('[data-part="deny"]')?.click();
  };
  return (
    <div className="part rule">
      <label className="small mut" htmlFor={id}>
        {t('page.card.deny_message', { agent: toPlainText(nameOf(card.agent)) })}
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

// Said only when something is hidden: how it looks, over what it really is.

const MAX_TEXTS = 3;

function CardWarning({ marked }: { marked: MarkedText[] }): ReactNode {
  const marks = marked.reduce((sum, one) => sum + one.marks, 0);
  return (
    <div className="warn" role="note">
      <Icon name="alert" />
      <div>
        <b>{t('page.card.warning', { count: marks })}</b>
        <dl className="compare">
          {marked.slice(0, MAX_TEXTS).map((one, index) => (
            <Fragment key={index}>
              <dt>{t('page.card.looks')}</dt>
              <dd className="mono raw">
                <bdi>{one.segments.map((segment) => segment.text).join('')}</bdi>
              </dd>
              <dt>{t('page.card.really')}</dt>
              <dd className="mono">
                <bdi className="shown">
                  <RevealedSegments segments={one.segments} />
                </bdi>
              </dd>
            </Fragment>
          ))}
        </dl>
      </div>
    </div>
  );
}

// The exact text or command, whole, with line numbers; long ones scroll in place and say so.

/** Beyond this many lines they are shown without numbers. */
const MAX_NUMBERED_LINES = 400;
const SCROLLS_FROM_LINES = 16;
const SCROLLS_FROM_CHARACTERS = 1500;
const COMMAND = /^execute_|^run_/;

function CardText({ text, card }: { text: string; card: Card }): ReactNode {
  const lines = text.split(/\r\n|\n/);
  const scrolls = lines.length > SCROLLS_FROM_LINES || text.length > SCROLLS_FROM_CHARACTERS;
  const whole = COMMAND.test(card.tool)
    ? t('page.card.whole_command', { lines: lines.length })
    : t('page.card.whole', { lines: lines.length, characters: [...text].length });
  return (
    <div className="cmd">
      <pre
        className={scrolls ? 'scrolls' : undefined}
        tabIndex={scrolls ? 0 : undefined}
        aria-label={whole}
        role="group"
      >
        {lines.length > MAX_NUMBERED_LINES ? (
          <RevealedText text={text} />
        ) : (
          lines.map((line, index) => <Line key={index} number={index + 1} text={line} numbered={lines.length > 1} />)
        )}
      </pre>
      <div className="cmd-f">
        <span>{scrolls ? `${whole}${t('page.marks.stop')}${t('page.card.scroll')}` : whole}</span>
        {splitNotes(card.notes)
          .shown.map(say)
          .map((note) => (
            <span key={note}>
              <RevealedText text={note} />
            </span>
          ))}
      </div>
    </div>
  );
}

function Line({ number, text, numbered }: { number: number; text: string; numbered: boolean }): ReactNode {
  return (
    <code className={numbered ? 'ln' : 'ln single'}>
      {numbered ? <i aria-hidden="true">{number}</i> : null}
      <span>{text === '' ? '\u00a0' : <RevealedText text={text} keepWordsWhole />}</span>
    </code>
  );
}
