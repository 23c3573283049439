import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, cardDigest, paramsDigest } from '../../src/main/approvals/index.js';
import { sha256 } from '../../src/main/approvals/digest.js';
import { call, onlyCard, requestOf, world } from './support.js';
import { verbatim } from '../../src/messages/index.js';

/** The same value with the keys of every object in another order. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  const reversed = Object.entries(value).reverse();
  const copy: object = Object.create(Object.getPrototypeOf(value));
  for (const [name, inner] of reversed)
    Object.defineProperty(copy, name, { value: shuffled(inner), enumerable: true, configurable: true, writable: true });
  return copy;
}

describe('canonical JSON', () => {
  it('[req:DS-12-3] is the same for any order of keys, parses back to the same value and is stable', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(shuffled(value))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  it('tells different values apart', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const same = JSON.stringify(shuffled(shuffled(one))) === JSON.stringify(other);
        fc.pre(!same);
        const texts = [canonicalJson(one), canonicalJson(other)];
        if (texts[0] === texts[1]) expect(JSON.parse(texts[0] ?? '')).toEqual(JSON.parse(JSON.stringify(other)));
      }),
    );
  });

  it('follows RFC 8785 for numbers, escapes and key order', () => {
    expect(canonicalJson({ b: [1e21, 0.1, -0, 1e-7], a: '\u20ac\u000f"\\', A: null })).toBe(
      '{"A":null,"a":"€\\u000f\\"\\\\","b":[1e+21,0.1,0,1e-7]}',
    );
    const keys = ['\ufb33', '\ud83d\ude00', '\u20ac'];
    const sorted = Object.keys(JSON.parse(canonicalJson(Object.fromEntries(keys.map((key) => [key, 1])))));
    expect(sorted).toEqual(['\u20ac', '\ud83d\ude00', '\ufb33']);
  });

  it('keeps a key named __proto__', () => {
    expect(canonicalJson(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}');
  });

  it('refuses what is not JSON instead of guessing', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    for (const value of [undefined, NaN, Infinity, () => 1, Symbol('x'), 10n, { a: () => 1 }, [NaN], circle])
      expect(() => canonicalJson(value)).toThrow();
  });
});

describe('digests', () => {
  it('leaves out meta and confirm at the top only', () => {
    const params = { text: 'hi', target: { meta: 1 } };
    expect(paramsDigest({ ...params, meta: { a: 1 }, confirm: { token: 't' } })).toBe(paramsDigest(params));
    expect(paramsDigest({ ...params, target: {} })).not.toBe(paramsDigest(params));
  });

  it('are SHA-256 over canonical JSON, as the contract says', () => {
    const expected = createHash('sha256').update('{"keys":["cmd","v"]}').digest('hex');
    expect(paramsDigest({ keys: ['cmd', 'v'] })).toBe(expected);
    expect(sha256('a')).toHaveLength(64);
  });

  it('changes with everything a card shows', () => {
    const { approvals } = world();
    call(approvals, requestOf());
    const card = onlyCard(approvals);
    expect(cardDigest(card)).toBe(card.digest);
    const picture = { mimeType: 'image/png', base64: 'AAAA', width: 1, height: 1, target: null } as const;
    const changes: Partial<typeof card>[] = [
      { arguments: { x: 2 } },
      { text: 'rm' },
      { window: 'Other' },
      { effect: 'pointer' },
      { workspace: '/other' },
      { documentUrl: 'https://a.example' },
      { ancestors: ['Dialog'] },
      { notes: [verbatim('pastes')] },
      { picture },
      { agent: { ...card.agent, claim: 'Claude Code 2.1' } },
      { process: { name: 'Mail', appId: 'com.apple.mail', pid: 301, startTime: '5' } },
      { subject: { ...card.subject, target: 'Delete' } },
      { grants: [] },
    ];
    const digests = changes.map((change) => cardDigest({ ...card, ...change }));
    expect(new Set([card.digest, ...digests]).size).toBe(changes.length + 1);
    const moved = { ...picture, target: { x: 0, y: 0, width: 1, height: 1 } };
    expect(cardDigest({ ...card, picture: moved })).not.toBe(cardDigest({ ...card, picture }));
    expect(cardDigest({ ...card, orphaned: true })).toBe(card.digest);
  });
});
