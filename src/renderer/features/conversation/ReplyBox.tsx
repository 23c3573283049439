/** Answers one question: quick replies that send at once, and a box whose draft survives everything but being sent. */
import { useState, type ClipboardEvent, type FormEvent, type KeyboardEvent, type ReactNode } from 'react';
import type { Actions } from '../../app/actions.js';
import { useDraft } from './drafts.js';
import { useDrop } from './drop.js';
import { addImages } from './images.js';
import { usePictures } from './picture-drafts.js';
import { plain } from '../../ui/plain.js';
import type { AgentMessage } from '../../state/state.js';
import { t } from '../../strings.js';
import { Button } from '../../ui/Button.js';
import { ReplyImages } from './ReplyImages.js';
import { Shown } from '../../ui/Shown.js';

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
  const [text, setText] = useDraft(id);
  const [images, setImages] = usePictures(actions.pictures, id);
  const [wrong, setWrong] = useState<string | null>(null);
  const dead = !online || sending;
  const empty = text.trim() === '' && images.length === 0;

  const add = async (files: File[]) => {
    const added = await addImages(images, files);
    setWrong('problem' in added ? added.problem : null);
    if ('images' in added) setImages(added.images);
  };
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (!dead && !empty) actions.reply(id, text, images);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit();
  };
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files];
    if (!paired || files.length === 0) return;
    event.preventDefault();
    void add(files);
  };
  const drop = useDrop(paired ? (files) => void add(files) : null);
  return (
    <div className="replybox" aria-live="off" data-drop={drop.over || undefined} {...drop.handlers}>
      <QuickReplies replies={message.quickReplies ?? []} dead={dead} onPick={(reply) => actions.reply(id, reply, [])} />
      <form className="composer" onSubmit={submit}>
        <label className="vh" htmlFor={`r-${id}`}>
          {t('page.chat.reply_to', { agent: plain(message.agent.name) })}
        </label>
        <textarea
          id={`r-${id}`}
          data-part="reply"
          rows={1}
          dir="auto"
          maxLength={100_000}
          placeholder={t('page.chat.reply_to', { agent: plain(message.agent.name) })}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        <div className="bar">
          <span className={`xs ${(wrong ?? problem) === null ? 'dim' : 'bad'}`}>
            {wrong ??
              problem ??
              (sending ? t('page.chat.sending') : text === '' && images.length === 0 ? '' : t('page.chat.draft'))}
          </span>
          <span className="end">
            {paired ? (
              <ReplyImages images={images} onAdd={add} onRemove={(at) => setImages(images.toSpliced(at, 1))} />
            ) : null}
            <Button type="submit" icon="up" look="solid sm" dead={dead || empty} title={t('page.chat.send_hint')}>
              {t('page.chat.reply')}
            </Button>
          </span>
        </div>
      </form>
    </div>
  );
}

function QuickReplies(props: { replies: string[]; dead: boolean; onPick(reply: string): void }): ReactNode {
  if (props.replies.length === 0) return null;
  return (
    <div className="quick" role="group" aria-label={t('page.chat.quick')}>
      {props.replies.map((reply, index) => (
        <Button key={index} dead={props.dead} onClick={() => props.onPick(reply)}>
          <span>
            <Shown text={reply} />
          </span>
        </Button>
      ))}
    </div>
  );
}
