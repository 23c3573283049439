/** What a person can do here. Every act goes to the host at once or not at all; nothing waits for a connection. */
import type { FromPage } from '../../main/protocol/index.js';
import type { Ask } from '../net/questions.js';
import type { Session } from '../net/session.js';
import type { Card } from '../state/state.js';
import type { Store } from '../state/store.js';
import { strings } from '../strings.js';

export type GrantKind = Card['grants'][number]['kind'];
export type Preset = Extract<FromPage, { type: 'setPolicy' }>['preset'];
export type ReplyImage = NonNullable<Extract<FromPage, { type: 'ack' }>['images']>[number];

export interface Actions {
  /** Asks the host something; rejects with `NoAnswer` when it refuses or the connection goes. */
  ask: Ask;
  allow(card: Card, grant: GrantKind): void;
  deny(card: Card, message: string): void;
  /** False when it was not sent; the draft stays. */
  reply(id: string, text: string, images: ReplyImage[]): boolean;
  /** Shows the menubar popover, where this page may not decide. */
  openPopover(): void;
  /** From the popover: this page in the person's browser. */
  openBrowser(): void;
  stop(): void;
  resume(): void;
  revokeGrant(id: string): void;
  unpair(keyId: string): void;
  setPolicy(preset: Preset): void;
  retryNow(): void;
  sweep(): void;
  dismiss(): void;
}

export function createActions(store: Store, session: Session): Actions {
  const send = (message: FromPage): boolean => {
    const sent = session.send(message);
    if (!sent) store.tell({ type: 'noticed', code: 'not_sent', message: strings.notice.notSent });
    return sent;
  };
  /** The digest sent is that of the card that was on the screen when the button was pressed. */
  const decide = (card: Card, decision: 'allow' | 'deny', extra: { grant?: GrantKind; message?: string }): void => {
    const sent = send({ type: 'approval', id: card.id, digest: card.digest, decision, ...extra });
    if (sent) store.tell({ type: 'decided', id: card.id, decision });
  };
  return {
    ask: session.ask,
    allow: (card, grant) => decide(card, 'allow', grant === 'once' ? {} : { grant }),
    deny: (card, message) => decide(card, 'deny', message === '' ? {} : { message }),
    reply: (id, text, images) => {
      const sent = send({ type: 'ack', id, message: text, ...(images.length > 0 ? { images } : {}) });
      if (sent) store.tell({ type: 'replying', id });
      return sent;
    },
    openPopover: () => void send({ type: 'openPopover' }),
    openBrowser: () => void send({ type: 'openBrowser' }),
    stop: () => void send({ type: 'pause', on: true }),
    resume: () => void send({ type: 'pause', on: false }),
    revokeGrant: (id) => void send({ type: 'revokeGrant', id }),
    unpair: (keyId) => void send({ type: 'revokePairing', keyId }),
    setPolicy: (preset) => void send({ type: 'setPolicy', preset }),
    retryNow: () => session.retryNow(),
    sweep: () => store.tell({ type: 'swept' }),
    dismiss: () => store.tell({ type: 'dismissed' }),
  };
}
