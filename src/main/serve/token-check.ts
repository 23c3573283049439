import { createHash, timingSafeEqual } from 'node:crypto';

/** Digests are compared, so that neither content nor length shows in the time taken. */
export function createTokenCheck(token: string): (given: string) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expected = digest(token);
  return (given) => timingSafeEqual(digest(given), expected);
}
