import { message, type Message, type Code } from '../../messages/index.js';
import type { ChatReply } from './questions.js';
import { WireError } from '../protocol/index.js';
import { everyText } from '../../messages/catalogues.js';

/** Characters, except where a name says otherwise. */
export const CHAT_LIMITS = {
  reply: 100_000,
  callId: 256,
  openPerAgent: 20,
  open: 200,
  /** Written by the person to one agent, and not read yet. */
  unread: 20,
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

export function unreadProblem(unread: number): ReplyProblem | null {
  if (unread < CHAT_LIMITS.unread) return null;
  return { code: 'too_many', message: message('reply.too_many_unread', { most: CHAT_LIMITS.unread }) };
}

// Labels that only Chaperone's own buttons have, in every language of the page. A quick reply is a button that an agent names, among
// these: one that reads like them, however it is spelled, must never be shown.

type Button = Extract<Code, `page.${string}`>;

/** What decides or stops something: also with more words behind it, as in “Stop everything”. */
const AT_START: readonly Button[] = [
  ...([
    'page.card.allow',
    'page.card.allow_once',
    'page.card.allow_all',
    'page.card.deny',
    'page.card.deny_all',
    'page.card.hold',
    'page.card.holding',
    'page.card.once',
  ] as const),
  ...(['page.stop', 'page.agents.abort', 'page.agents.pause', 'page.agents.pause_all'] as const),
  ...(['page.agents.pause_one', 'page.agents.resume', 'page.agents.resume_one', 'page.agents.take_over'] as const),
  ...(['page.banner.resume', 'page.settings.take_back', 'page.settings.unpair', 'page.card.open_menu_bar'] as const),
  ...(['page.settings.excluded_apps.keep', 'page.settings.excluded_apps.remove', 'page.agents.forget'] as const),
];

/** All other buttons, and how the page says what was decided. */
const WHOLE: readonly Button[] = [
  ...(['page.answered.allowed', 'page.answered.denied', 'page.card.dismiss', 'page.banner.dismiss'] as const),
  ...(['page.alerts.offer_yes', 'page.keys.close', 'page.card.more_time'] as const),
  ...(['page.apps.acknowledge', 'page.apps.log', 'page.apps.log_again', 'page.apps.start', 'page.apps.stop'] as const),
  ...(['page.banner.try_now', 'page.chat.attach', 'page.chat.newest', 'page.chat.remove', 'page.chat.reply'] as const),
  ...(['page.commands.end', 'page.commands.end_with', 'page.commands.outlive', 'page.evidence.check'] as const),
  ...(['page.evidence.checking', 'page.first.copied', 'page.first.copy', 'page.full_picture.larger'] as const),
  ...(['page.health.check', 'page.health.open_settings', 'page.health.relaunch', 'page.list.again'] as const),
  ...(['page.list.clear', 'page.live.again', 'page.live.take', 'page.settings.retention.use'] as const),
  ...(['page.settings.use', 'page.setup.demo.run', 'page.setup.demo.running', 'page.setup.remove'] as const),
  ...([
    'page.setup.remove_from',
    'page.setup.steps.back',
    'page.setup.steps.finish',
    'page.setup.steps.later',
  ] as const),
  ...(['page.setup.steps.next', 'page.views.open_browser', 'page.views.reload', 'page.list.fresh_means'] as const),
  ...(['page.evidence.zoom_in', 'page.evidence.zoom_out'] as const),
  ...(['page.task.take_back', 'page.desktops.take', 'page.desktops.keep', 'page.desktops.unkeep'] as const),
  ...(['page.desktops.end', 'page.desktops.hand_back', 'page.agents.write', 'page.agents.write_send'] as const),
  ...(['page.agents.rename', 'page.agents.rename_save', 'page.agents.rename_clear'] as const),
];

export const RESERVED_LABELS: readonly Button[] = [...AT_START, ...WHOLE];

/** Letters of other alphabets, and digits and signs, that look like these of the Latin one. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  a: 'аαɑᴀ4@∆',
  b: 'ьвßʙ8',
  c: 'сϲᴄ¢',
  d: 'ԁɗᴅđ',
  e: 'еεєҽᴇ3€',
  f: 'ғꜰƒ',
  g: 'ɡԍɢ',
  h: 'һнʜ',
  j: 'јϳᴊ',
  k: 'кκᴋ',
  l: 'iıіїιɩɪӏʟł1|!ǀ',
  m: 'мᴍ',
  n: 'пηɴ',
  o: 'оοσօᴏ0өø',
  p: 'рρᴘ',
  q: 'ԛզ',
  r: 'гʀ',
  s: 'ѕꜱ5$',
  t: 'тτᴛ7',
  u: 'υսᴜц',
  v: 'ѵνᴠ',
  w: 'ѡԝωᴡш',
  x: 'хχ',
  y: 'уγүʏ',
  z: 'ᴢ2',
};
/** Where alphabets of emoji begin: letters in black circles, in black squares, and of flags. */
const EMOJI_ALPHABETS = [0x1f150, 0x1f170, 0x1f1e6];
const LATIN = new Map([
  ...Object.entries(LOOKALIKES).flatMap(([plain, like]) => [...like].map((one): [string, string] => [one, plain])),
  ...EMOJI_ALPHABETS.flatMap((first) =>
    [...'abcdefghljklmnopqrstuvwxyz'].map((plain, at): [string, string] => [String.fromCodePoint(first + at), plain]),
  ),
]);

/** The words of a label as they look: one spelling for all that a reader takes for the same. */
function wordsOf(label: string): string[] {
  const seen = label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '');
  return [...seen]
    .map((one) => LATIN.get(one) ?? one)
    .join('')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** The same for all texts that a reader takes for one another; empty where there is nothing to read. */
export const lookOf = (text: string): string => wordsOf(text).join('');

interface Reserved {
  label: string;
  looks: string;
  where: 'anywhere' | 'start' | 'whole';
}

/** A button's own words: of “Pause {agent}” only the first. */
const withoutNames = (text: string): string => text.replace(/\{[^{}]*(\{[^{}]*\}[^{}]*)*\}/g, ' ');

const reserved = (code: Code, where: Reserved['where']): Reserved[] =>
  everyText(code)
    .flatMap((text) => (where === 'anywhere' ? text.split(/[,，、]/) : [withoutNames(text)]))
    .map((label) => ({ label: label.trim(), looks: lookOf(label), where }))
    .filter(({ looks }) => looks !== '');

const RESERVED: readonly Reserved[] = [
  ...reserved('reply.reserved', 'anywhere'),
  ...AT_START.flatMap((code) => reserved(code, 'start')),
  ...WHOLE.flatMap((code) => reserved(code, 'whole')),
];

/** The label of Chaperone's that this one reads like; null for none. */
export function reservedLabelLike(label: string): string | null {
  const words = wordsOf(label);
  return RESERVED.find((one) => isLike(words, one))?.label ?? null;
}

/** Chinese and Japanese have no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

function isLike(words: readonly string[], { looks, where }: Reserved): boolean {
  const all = words.join('');
  if (all === looks) return true;
  if (where === 'whole') return false;
  if (UNSPACED.test(looks)) return where === 'start' ? all.startsWith(looks) : all.includes(looks);
  const starts = where === 'start' ? [0] : words.keys();
  for (const start of starts) if (spells(words.slice(start), looks)) return true;
  return false;
}

/** Whether the first words together are this one: also “A l l o w”. */
function spells(words: readonly string[], looks: string): boolean {
  let spelled = '';
  for (const word of words) {
    spelled += word;
    if (spelled.length >= looks.length) return spelled === looks;
  }
  return false;
}
