/** Only the functions that do not block: the others ask about the keychain on the thread of the app. Encrypts with what the machine's keychain keeps for the app: nothing else can read it, and another keychain cannot either. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Machine } from './machine.js';

export function createSafeStorage(machine: Machine) {
  const secret = (): Buffer => {
    if (machine.keychain === null) throw new Error('Error while encrypting: the keychain is not available.');
    return createHash('sha256').update(machine.keychain).digest();
  };
  return {
    isAsyncEncryptionAvailable: async () => machine.keychain !== null,
    async encryptStringAsync(text: string): Promise<Buffer> {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', secret(), nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.from('v10'), nonce, cipher.getAuthTag(), body]);
    },
    async decryptStringAsync(kept: Buffer): Promise<{ result: string; shouldReEncrypt: boolean }> {
      const cipher = createDecipheriv('aes-256-gcm', secret(), kept.subarray(3, 15));
      cipher.setAuthTag(kept.subarray(15, 31));
      const result = Buffer.concat([cipher.update(kept.subarray(31)), cipher.final()]).toString('utf8');
      return { result, shouldReEncrypt: false };
    },
  };
}
