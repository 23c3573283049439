/** Answers one question: quick replies that send at once, and a text box whose draft is kept until it is sent. */
import { useState, type ClipboardEvent, type FormEvent, type KeyboardEvent, type ReactNode } from 'react';
import type { Actions } from '../../app/actions.js';
import { useDraft } from './drafts.js';
import { useFileDrop } from './file-drop.js';
import { addImages } from './images.js';
import { usePictureDraft, type PictureDrafts } from './picture-drafts.js';
import { toPlainText, type AgentMessage } from '../../../main/protocol/index.js';
import { agentName } from '../../ui/agents.js';
import { t } from '../../strings.js';
import { Button } from '../../ui/Button.js';
import { ReplyImages } from './ReplyImages.js';
import { RevealedText } from '../../ui/RevealedText.js';

interface Props {
  message: AgentMessage;
  online: boolean;
  /** Images need a paired page. */
  paired: boolean;
  sending: boolean;
  problem: string | null;
  actions: Actions;
}

export function ReplyBox({ message, online, paired, sending, problem, actions }: Props): ReactNode {
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
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) onSend();
  };
  return (
    <>
      <label className="vh" htmlFor={`r-${id}`}>
        {t('page.chat.reply_to', { agent: toPlainText(agentName(message.agent)) })}
      </label>
      <textarea
        id={`r-${id}`}
        data-part="reply"
        rows={1}
        dir="auto"
        maxLength={100_000}
        placeholder={t('page.chat.reply_to', { agent: toPlainText(agentName(message.agent)) })}
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
