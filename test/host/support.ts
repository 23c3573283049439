import { webcrypto } from 'node:crypto';
import { signedText } from '../../src/main/protocol/index.js';
import type { PublicKey } from '../../src/main/serve/pairing/index.js';

/** A page's key, made and used as a browser does it. */
export interface PageKey {
  publicKey: PublicKey;
  sign(origin: string, host: string, nonce: string): Promise<string>;
}

export async function createPageKey(): Promise<PageKey> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const pair = await webcrypto.subtle.generateKey(algorithm, false, ['sign', 'verify']);
  const { x, y } = await webcrypto.subtle.exportKey('jwk', pair.publicKey);
  return {
    publicKey: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' },
    async sign(origin, host, nonce) {
      const text = Buffer.from(signedText(origin, host, nonce));
      const bytes = await webcrypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, pair.privateKey, text);
      return Buffer.from(bytes).toString('base64url');
    },
  };
}
