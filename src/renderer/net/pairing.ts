/** Proves to the host that this page was paired, or pairs it with a code from its address. One attempt a connection. */
import { signedText, type FromPage } from '../../main/protocol/index.js';
import { openDatabase } from './database.js';

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

export type PagePairing = ReturnType<typeof createPagePairing>;

export function createPagePairing(origin: string, host: string) {
  let code: string | null = null;
  let fresh: CryptoKey | null = null;
  return {
    /** The code to use at the next chance. */
    offer: (offered: string): void => {
      code = offered;
    },
    /** The message that introduces this page to the host; null when it has neither code nor key. */
    introduce: async (nonce: string): Promise<FromPage | null> => {
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
    /** The host took the key. */
    accept: async (keyId: string): Promise<void> => {
      if (fresh === null) return;
      await saveKey({ keyId, privateKey: fresh });
      fresh = null;
    },
  };
}

// The page's own key: made here, never exportable, kept in this origin's IndexedDB.

interface PageKey {
  keyId: string;
  privateKey: CryptoKey;
}

interface NewKey {
  publicKey: { kty: 'EC'; crv: 'P-256'; x: string; y: string };
  privateKey: CryptoKey;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const KEY_NAME = 'page';
const database = () => openDatabase('chaperone', 'keys');

async function makeKey(): Promise<NewKey> {
  const pair = await crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);
  const { x, y } = await crypto.subtle.exportKey('jwk', pair.publicKey);
  if (x === undefined || y === undefined) throw new Error('The browser made a key without coordinates.');
  return { publicKey: { kty: 'EC', crv: 'P-256', x, y }, privateKey: pair.privateKey };
}

/** base64url ECDSA P-256 SHA-256 signature. */
async function sign(key: CryptoKey, text: string): Promise<string> {
  const bytes = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, new TextEncoder().encode(text));
  const binary = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

async function loadKey(): Promise<PageKey | null> {
  const found = await database().use('readonly', (store): IDBRequest<unknown> => store.get(KEY_NAME));
  return isPageKey(found) ? found : null;
}

async function saveKey(key: PageKey): Promise<void> {
  await database().use('readwrite', (store) => store.put(key, KEY_NAME));
}

function isPageKey(value: unknown): value is PageKey {
  if (typeof value !== 'object' || value === null) return false;
  return (
    'keyId' in value &&
    typeof value.keyId === 'string' &&
    'privateKey' in value &&
    value.privateKey instanceof CryptoKey
  );
}
