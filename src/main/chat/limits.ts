import { message, type Message } from '../../messages/index.js';
import type { ChatReply } from '../pipeline/ports.js';
import { WireError } from '../protocol/index.js';
import { reservedLabelLike } from './reserved-labels.js';

/** Characters, except where a name says otherwise. */
export const CHAT_LIMITS = {
  reply: 100_000,
  callId: 256,
  openPerAgent: 20,
  open: 200,
  images: 4,
  /** Base64 characters of one reply's images together. */
  imageCharacters: 8_000_000,
  /** An unanswered question is withdrawn when the host starts this long after it was asked. */
  questionAgeMs: 7 * 24 * 3_600_000,
} as const;

export type Image = ChatReply['images'][number];

/** Why a reply is refused, for the page. */
export interface ReplyProblem {
  code: string;
  message: Message;
}

function invalid(text: Message): never {
  throw new WireError('DESKTOP_INVALID_REQUEST', text);
}

/** Throws DESKTOP_INVALID_REQUEST. How long it may be is said by the tool that asks. Control characters pass; the page marks them. */
export function checkQuestion(question: { callId: string; text: string; quickReplies: string[] }): void {
  const { text, quickReplies, callId } = question;
  if (text.trim() === '') invalid(message('error.message_empty'));
  if (quickReplies.some((reply) => reply.trim() === '')) invalid(message('error.quick_reply_empty'));
  for (const reply of quickReplies) {
    const label = reservedLabelLike(reply);
    if (label !== null) throw reservedError(reply, label);
  }
  if (callId === '' || callId.length > CHAT_LIMITS.callId)
    invalid(message('error.call_id_length', { max: CHAT_LIMITS.callId }));
}

const reservedError = (reply: string, label: string): WireError =>
  new WireError('DESKTOP_INVALID_REQUEST', message('error.quick_reply_reserved', { reply, label }), {
    reason: 'reserved_label',
    next: 'Say in other words what the answer means, such as “Go ahead with the deploy”, and ask again.',
  });

/** Throws DESKTOP_HOST_NOT_READY when one agent, or all together, have too many unanswered questions. */
export function checkOpenQuestions(openOfAgent: number, open: number): void {
  const details = { reason: 'too_many_questions', open: openOfAgent };
  if (openOfAgent >= CHAT_LIMITS.openPerAgent)
    throw new WireError(
      'DESKTOP_HOST_NOT_READY',
      message('error.too_many_own_questions', { count: openOfAgent }),
      details,
    );
  if (open >= CHAT_LIMITS.open)
    throw new WireError('DESKTOP_HOST_NOT_READY', message('error.too_many_questions', { count: open }), details);
}

export function replyProblem(text: string, images: Image[]): ReplyProblem | null {
  if (text.trim() === '' && images.length === 0) return { code: 'empty', message: message('reply.empty') };
  if (text.length > CHAT_LIMITS.reply)
    return { code: 'too_large', message: message('reply.too_long', { most: CHAT_LIMITS.reply, count: text.length }) };
  if (images.length > CHAT_LIMITS.images)
    return {
      code: 'too_large',
      message: message('reply.too_many_images', { most: CHAT_LIMITS.images, count: images.length }),
    };
  if (images.reduce((sum, image) => sum + image.base64.length, 0) > CHAT_LIMITS.imageCharacters)
    return { code: 'too_large', message: message('reply.images_too_large') };
  if (images.some((image) => !/^[A-Za-z0-9+/]+={0,2}$/.test(image.base64)))
    return { code: 'malformed', message: message('reply.unreadable_image') };
  return null;
}
