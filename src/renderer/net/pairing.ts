/** Proves to the host that this page was paired, or pairs it with a code from its address. One attempt a connection. */
import { signedText, type FromPage } from '../../main/protocol/index.js';
import { loadKey, makeKey, saveKey, sign } from './page-key.js';

const LINK = /^#pair=([\w-]{1,128})$/;

/** Takes the single-use code out of the address at once, so that neither history nor a screenshot keeps it. */
export function takePairCode(
  location: Pick<Location, 'hash' | 'pathname' | 'search'>,
  history: Pick<History, 'replaceState'>,
): string | null {
  const code = LINK.exec(location.hash)?.[1] ?? null;
  if (location.hash.startsWith('#pair')) history.replaceState(null, '', location.pathname + location.search);
  return code;
}

export interface PagePairing {
  /** The code to use at the next chance. */
  offer(code: string): void;
  /** The message that introduces this page to the host; null when it has neither code nor key. */
  introduce(nonce: string): Promise<FromPage | null>;
  /** The host took the key. */
  accept(keyId: string): Promise<void>;
}

export function createPagePairing(origin: string, host: string): PagePairing {
  let code: string | null = null;
  let fresh: CryptoKey | null = null;
  return {
    offer: (offered) => {
      code = offered;
    },
    introduce: async (nonce) => {
      if (code !== null) {
        const once = code;
        code = null;
        const key = await makeKey();
        fresh = key.privateKey;
        return { type: 'pair', code: once, publicKey: key.publicKey };
      }
      const key = await loadKey();
      if (key === null) return null;
      const signature = await sign(key.privateKey, signedText(origin, host, nonce));
      return { type: 'authenticate', keyId: key.keyId, signature };
    },
    accept: async (keyId) => {
      if (fresh === null) return;
      await saveKey({ keyId, privateKey: fresh });
      fresh = null;
    },
  };
}
