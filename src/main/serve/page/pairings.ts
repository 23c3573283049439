/** Who a page is: it proves its key, is paired with a link, or is unpaired; and what it is greeted with. */
import { message, type Message } from '../../../messages/index.js';
import type { Viewers } from '../../approvals/index.js';
import { PairingRefused, type Pairing } from '../pairing/index.js';
import type { PairingRequests } from '../pairing/requests.js';
import type { Definitions, PageRefusal } from './definition.js';
import { sendPairings } from './news.js';
import type { Page } from './page.js';

export interface PairingDependencies {
  pairing: Pick<Pairing, 'authenticate' | 'dismissNews' | 'list' | 'news'>;
  pairingRequests: Pick<PairingRequests, 'redeem' | 'revoke'>;
  /** Told which pages show requests to the person. */
  viewers: Pick<Viewers, 'set'>;
  /** Sends `connected` for the page's present role, and what else that role is told. */
  greet(page: Page, cursor: number | null): void;
}

type Handled = 'resume' | 'authenticate' | 'pair' | 'visibility' | 'dismissPairings' | 'revokePairing';

const strike = (code: string, text: Message): PageRefusal => ({ ok: false, code, message: text, strike: true });

const NOT_NEEDED = strike('not_needed', message('refused.no_pairing_needed'));
const TOO_MANY_TRIES = strike('too_many', message('refused.too_many_proofs'));
const TOO_MANY_GREETINGS = strike('too_many', message('refused.too_many_greetings'));
const WAITS_ALREADY = strike('too_many', message('pairing.waits_already'));
const NOT_PAIRED = strike('not_paired', message('refused.not_paired'));
const UNKNOWN: PageRefusal = { ok: false, code: 'unknown_pairing', message: message('refused.unknown_pairing') };

export const pairingHandlers: Definitions<Handled, PairingDependencies> = {
  resume: {
    role: 'any',
    handler({ page, greet }, { cursor }) {
      if (!page.budgets.greetings.take()) return TOO_MANY_GREETINGS;
      greet(page, cursor);
      return undefined;
    },
  },
  authenticate: {
    role: 'any',
    handler({ page, pairing, greet }, { keyId, signature }) {
      if (page.isPopover) return NOT_NEEDED;
      const nonce = page.useNonce();
      if (!page.budgets.proofs.take()) return TOO_MANY_TRIES;
      const { origin, host } = page.upgrade;
      if (!pairing.authenticate({ keyId, signature, origin, host, nonce })) return NOT_PAIRED;
      page.becomePaired(keyId);
      greet(page, null);
      return undefined;
    },
  },
  pair: {
    role: 'any',
    /** A page redeems one link at a time. When the page goes, its request ends. */
    async handler({ page, pairingRequests, greet, assertRole }, { code, publicKey }, signal) {
      if (page.isPopover) return NOT_NEEDED;
      if (!page.budgets.proofs.take()) return TOO_MANY_TRIES;
      if (!page.beginPairing()) return WAITS_ALREADY;
      try {
        const keyId = await pairingRequests.redeem(
          { code, publicKey, client: page.upgrade.client },
          (waiting) => page.send({ type: 'pairingWaits', ...waiting }),
          signal,
        );
        assertRole();
        page.useNonce();
        page.becomePaired(keyId);
        page.send({ type: 'paired', keyId });
        greet(page, null);
        return undefined;
      } catch (error) {
        if (error instanceof PairingRefused) return strike(error.code, error.text);
        throw error;
      } finally {
        page.endPairing();
      }
    },
  },
  visibility: {
    role: 'any',
    handler({ page, viewers }, { visible }) {
      page.setVisible(visible);
      viewers.set(page.source.connection, page.isSeen());
      return undefined;
    },
  },
  dismissPairings: {
    role: 'paired',
    handler({ page, pairing }, { keyIds }) {
      pairing.dismissNews(page.keyId(), keyIds);
      sendPairings(page, pairing);
      return undefined;
    },
  },
  revokePairing: {
    role: 'paired',
    handler: ({ pairingRequests, person }, { keyId }) => (pairingRequests.revoke(keyId, person) ? undefined : UNKNOWN),
  },
};
