import { message, type Message } from '../../messages/index.js';
import type { ChatReply } from '../pipeline/ports.js';
import { WireError } from '../protocol/index.js';

/** Characters, except where a name says otherwise. */
export const CHAT_LIMITS = {
  question: 50_000,
  reply: 100_000,
  quickReplies: 8,
  quickReply: 200,
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

function invalid(message: string): never {
  throw new WireError('DESKTOP_INVALID_REQUEST', message);
}

/** Throws DESKTOP_INVALID_REQUEST. Control characters are data and pass; the page marks them. */
export function checkQuestion(question: { callId: string; text: string; quickReplies: string[] }): void {
  const { text, quickReplies, callId } = question;
  if (text.trim() === '') invalid('The message has no text.');
  if (text.length > CHAT_LIMITS.question)
    invalid(
      `The message has ${text.length} characters; at most ${CHAT_LIMITS.question} can be sent. Shorten it or split it.`,
    );
  if (quickReplies.length > CHAT_LIMITS.quickReplies)
    invalid(`${quickReplies.length} quick replies were given; at most ${CHAT_LIMITS.quickReplies} can be shown.`);
  if (quickReplies.some((reply) => reply.trim() === '' || reply.length > CHAT_LIMITS.quickReply))
    invalid(`A quick reply must have between 1 and ${CHAT_LIMITS.quickReply} characters.`);
  if (callId === '' || callId.length > CHAT_LIMITS.callId)
    invalid(`A call id must have between 1 and ${CHAT_LIMITS.callId} characters.`);
}

/** Throws DESKTOP_HOST_NOT_READY when one agent, or all together, have too many unanswered questions. */
export function checkOpenQuestions(openOfAgent: number, open: number): void {
  const details = { reason: 'too_many_questions', open: openOfAgent };
  if (openOfAgent >= CHAT_LIMITS.openPerAgent)
    throw new WireError(
      'DESKTOP_HOST_NOT_READY',
      `You already have ${openOfAgent} unanswered questions; wait for an answer or withdraw one before asking again.`,
      details,
    );
  if (open >= CHAT_LIMITS.open)
    throw new WireError(
      'DESKTOP_HOST_NOT_READY',
      `The person already has ${open} unanswered questions; ask again later.`,
      details,
    );
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
