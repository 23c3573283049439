/** A message of an agent; while it is an open question, with quick replies and a reply box. */
import { useRef, type ReactNode, useState, type ClipboardEvent, type FormEvent, type KeyboardEvent } from 'react';
import type { Actions } from '../../app/actions.js';
import { toPlainText, type AgentMessage } from '../../../main/protocol/index.js';
import { clockTime } from '../../ui/formats.js';
import type { AgentMessageTurn } from '../../state/select.js';
import type { PageState } from '../../state/state.js';
import { useAgentName, AgentInitials } from '../../ui/agents.js';
import { t } from '../../strings.js';
import { Icon } from '../../ui/Icon.js';
import { MarkdownText } from './MarkdownText.js';
import { useFocusOnEnd } from '../../ui/window-events.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { useDraft, usePictureDraft, type PictureDrafts, addImages, type ReplyImage } from './drafts.js';
import { useFileDrop } from './file-drop.js';
import { Button } from '../../ui/Button.js';
import { pictureUrl } from '../requests/CardPicture.js';

interface Props {
  turn: AgentMessageTurn;
  state: PageState;
  actions: Actions;
}

export function AgentTurn({ turn, state, actions }: Props): ReactNode {
  const article = useRef<HTMLElement>(null);
  const { message } = turn;
  const nameOf = useAgentName();
  const waiting = turn.state === 'waiting';
  useFocusOnEnd(article, !waiting);
  return (
    <article
      ref={article}
      className="msg"
      data-anchor
      data-question={waiting ? message.ack_id : undefined}
      tabIndex={-1}
      aria-label={waiting ? t('page.chat.question_from', { agent: toPlainText(nameOf(message.agent)) }) : undefined}
    >
      <AgentInitials agent={message.agent} />
      <p className="by">
        <b>
          <RevealedText text={nameOf(message.agent)} />
        </b>
        <time dateTime={message.at}>{clockTime(message.at)}</time>
        <TurnState state={turn.state} />
      </p>
      <MarkdownText message={message} />
      {waiting ? (
        <ReplyBox
          message={message}
          online={state.connection === 'open'}
          paired={state.role === 'paired'}
          sending={state.replying[message.ack_id] === true}
          problem={state.replyProblems[message.ack_id] ?? null}
          actions={actions}
        />
      ) : null}
    </article>
  );
}

function TurnState({ state }: { state: AgentMessageTurn['state'] }): ReactNode {
  if (state === 'withdrawn') return <span className="out">{t('page.chat.withdrawn')}</span>;
  if (state !== 'waiting') return null;
  return (
    <span className="out wait">
      <Icon name="question" />
      {t('page.chat.waiting')}
    </span>
  );
}

interface ReplyBoxProps {
  message: AgentMessage;
  online: boolean;
  /** Images need a paired page. */
  paired: boolean;
  sending: boolean;
  problem: string | null;
  actions: Actions;
}

/** Answers one question: quick replies that send at once, and a text box whose draft is kept until it is sent. */
function ReplyBox({ message, online, paired, sending, problem, actions }: ReplyBoxProps): ReactNode {
  const id = message.ack_id;
  const [text, setText] = useDraft('reply', id);
  const { images, setImages, imageProblem, add, onPaste, drop } = useImages(actions.pictures, id, paired);
  const disabled = !online || sending;
  const empty = text.trim() === '' && images.length === 0;

  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (!disabled && !empty) actions.reply(id, text, images);
  };
  return (
    <div className="replybox" aria-live="off" data-drop={drop.over || undefined} {...drop.handlers}>
      <QuickReplies
        replies={message.quickReplies ?? []}
        disabled={disabled}
        onPick={(reply) => actions.reply(id, reply, [])}
      />
      <form className="composer" onSubmit={submit}>
        <ReplyText message={message} text={text} onText={setText} onSend={submit} onPaste={onPaste} />
        <div className="bar">
          <Progress problem={imageProblem ?? problem} sending={sending} begun={text !== '' || images.length > 0} />
          <span className="end">
            {paired ? (
              <ReplyImages images={images} onAdd={add} onRemove={(at) => setImages(images.toSpliced(at, 1))} />
            ) : null}
            <Button
              type="submit"
              icon="up"
              variant="solid sm"
              disabled={disabled || empty}
              title={t('page.chat.send_hint')}
            >
              {t('page.chat.reply')}
            </Button>
          </span>
        </div>
      </form>
    </div>
  );
}

/** The images of a reply: chosen, pasted or dropped. */
function useImages(drafts: PictureDrafts, id: string, paired: boolean) {
  const [images, setImages] = usePictureDraft(drafts, id);
  const [imageProblem, setImageProblem] = useState<string | null>(null);
  const add = async (files: File[]) => {
    const added = await addImages(images, files);
    setImageProblem('problem' in added ? added.problem : null);
    if ('images' in added) setImages(added.images);
  };
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files];
    if (!paired || files.length === 0) return;
    event.preventDefault();
    void add(files);
  };
  const drop = useFileDrop(paired ? (files) => void add(files) : null);
  return { images, setImages, imageProblem, add, onPaste, drop };
}

interface TextProps {
  message: AgentMessage;
  text: string;
  onText(text: string): void;
  onSend(): void;
  onPaste(event: ClipboardEvent): void;
}

function ReplyText({ message, text, onText, onSend, onPaste }: TextProps): ReactNode {
  const id = message.ack_id;
  const label = t('page.chat.reply_to', { agent: toPlainText(useAgentName()(message.agent)) });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) onSend();
  };
  return (
    <>
      <label className="vh" htmlFor={`r-${id}`}>
        {label}
      </label>
      <textarea
        id={`r-${id}`}
        data-part="reply"
        rows={1}
        dir="auto"
        maxLength={100_000}
        placeholder={label}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
    </>
  );
}

/** The problem with the reply, or its progress. */
function Progress(props: { problem: string | null; sending: boolean; begun: boolean }): ReactNode {
  const { problem, sending, begun } = props;
  return (
    <span className={`xs ${problem === null ? 'dim' : 'bad'}`}>
      {problem ?? (sending ? t('page.chat.sending') : begun ? t('page.chat.draft') : '')}
    </span>
  );
}

function QuickReplies(props: { replies: string[]; disabled: boolean; onPick(reply: string): void }): ReactNode {
  if (props.replies.length === 0) return null;
  return (
    <div className="quick" role="group" aria-label={t('page.chat.quick')}>
      {props.replies.map((reply, index) => (
        <Button key={index} disabled={props.disabled} onClick={() => props.onPick(reply)}>
          <span>
            <RevealedText text={reply} />
          </span>
        </Button>
      ))}
    </div>
  );
}

interface ImagesProps {
  images: readonly ReplyImage[];
  onAdd(files: File[]): Promise<void>;
  onRemove(at: number): void;
}

/** Images about to be sent with a reply, and the button that adds one. */
function ReplyImages({ images, onAdd, onRemove }: ImagesProps): ReactNode {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      {images.map((image, index) => (
        <button
          key={index}
          type="button"
          className="thumb-x"
          aria-label={t('page.chat.remove')}
          onClick={() => onRemove(index)}
        >
          <img src={pictureUrl(image)} alt={t('page.chat.image_alt', { index: index + 1 })} />
        </button>
      ))}
      <input
        ref={picker}
        type="file"
        hidden
        multiple
        accept="image/png,image/jpeg,image/webp,image/gif"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          event.target.value = '';
          void onAdd(files);
        }}
      />
      <Button
        icon="image"
        variant="quiet sm icon"
        aria-label={t('page.chat.attach')}
        onClick={() => picker.current?.click()}
      />
    </>
  );
}
