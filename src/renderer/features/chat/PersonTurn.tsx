/** A reply of the person, and whether the agent has received it. */
import type { ReactNode } from 'react';
import { imageKind } from './images.js';
import { toPlainText } from '../../../main/protocol/index.js';
import { clockTime } from '../../ui/time.js';
import { hasLeft, type ReplyTurn } from '../../state/select.js';
import type { PageState } from '../../state/state.js';
import { t } from '../../strings.js';
import { pictureUrl } from '../requests/CardPicture.js';
import { Icon } from '../../ui/Icon.js';

export function PersonTurn({ turn, state }: { turn: ReplyTurn; state: PageState }): ReactNode {
  const { message } = turn;
  return (
    <div className="reply" data-anchor>
      <Images images={message.images ?? []} />
      {message.text === '' ? null : (
        <p className="bubble" dir="auto">
          {message.text}
        </p>
      )}
      {turn.isUnknown ? null : (
        <p className="delivery">
          <Icon name={turn.deliveredAt === null ? 'clock' : 'check'} />
          <span>
            {deliveryText(turn, state)}
            {message.paired ? null : `${t('page.marks.comma')}${howGiven(message)}`}
          </span>
        </p>
      )}
      {turn.isUnknown && !message.paired ? <p className="delivery">{howGiven(message)}</p> : null}
    </div>
  );
}

const howGiven = ({ inClient }: ReplyTurn['message']): string =>
  t(inClient ? 'page.chat.in_client' : 'page.chat.unpaired');

function deliveryText({ to, given, deliveredAt }: ReplyTurn, state: PageState): string {
  if (deliveredAt !== null)
    return t('page.chat.has', {
      agent: to === null ? t('page.chat.the_agent') : toPlainText(to.name),
      time: clockTime(deliveredAt),
    });
  if (to === null) return t('page.chat.waits_for_agent');
  const [agent, left] = [toPlainText(to.name), hasLeft(state, to.id)];
  if (given) return left ? t('page.chat.given_left', { agent }) : t('page.chat.given', { agent });
  return left ? t('page.chat.left_before', { agent }) : t('page.chat.waits_for', { agent });
}

function Images({ images }: { images: NonNullable<ReplyTurn['message']['images']> }): ReactNode {
  return images.map(({ mimeType, base64 }, index) => {
    const kind = imageKind(mimeType);
    if (kind === null) return null;
    const alt = t('page.chat.image_alt', { index: index + 1 });
    return <img key={index} className="sent-image" src={pictureUrl({ mimeType: kind, base64 })} alt={alt} />;
  });
}
