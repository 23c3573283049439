/** The page's own key: made here, never exportable, kept in this origin's IndexedDB. */
import { openDatabase } from './database.js';

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

export async function makeKey(): Promise<NewKey> {
  const pair = await crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);
  const { x, y } = await crypto.subtle.exportKey('jwk', pair.publicKey);
  if (x === undefined || y === undefined) throw new Error('The browser made a key without coordinates.');
  return { publicKey: { kty: 'EC', crv: 'P-256', x, y }, privateKey: pair.privateKey };
}

/** base64url ECDSA P-256 SHA-256 signature. */
export async function sign(key: CryptoKey, text: string): Promise<string> {
  const bytes = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, new TextEncoder().encode(text));
  const binary = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

export async function loadKey(): Promise<PageKey | null> {
  const found = await database().use('readonly', (store): IDBRequest<unknown> => store.get(KEY_NAME));
  return isPageKey(found) ? found : null;
}

export async function saveKey(key: PageKey): Promise<void> {
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
