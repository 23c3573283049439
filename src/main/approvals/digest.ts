/** Digests of JSON values, whatever the order of their keys. */
import { createHash, hash, timingSafeEqual } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Card } from '../protocol/index.js';

/** 64 hex digits. */
export const sha256 = (bytes: Uint8Array | string): string => hash('sha256', bytes);

/** RFC 8785 canonical JSON. Throws TypeError for what is not JSON (undefined, functions, NaN, cycles), never guesses. */
export function canonicalJson(value: unknown): string {
  assertJson(value, new Set());
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('not a JSON value');
  return text;
}

/** 64 hex digits over the canonical JSON of any JSON value. */
export function digestOf(value: unknown): string {
  return sha256(canonicalJson(value));
}

/** Over the parameters of a desktop.* method without `meta` and `confirm`. 64 hex digits. */
export function paramsDigest(params: unknown): string {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return digestOf(params);
  return digestOf(Object.fromEntries(Object.entries(params).filter(([name]) => name !== 'meta' && name !== 'confirm')));
}

/** Digest of everything on a card that matters for the decision, which its end does not. An answer carries it, to name the card that was seen. */
export function cardDigest(card: Omit<Card, 'digest'>): string {
  const { id, grants, noAlways, picture } = card;
  const choices = grants.map(({ kind, label, consequence }) => ({ kind, label, consequence }));
  const without = noAlways === undefined ? {} : { noAlways };
  return digestOf({ id, choices, ...without, picture, request: requestPart(card) });
}

/** The fields of a card that describe the request, without its picture: equal for a repeated call. */
export function requestPart(card: Omit<Card, 'digest'>): unknown {
  const { agent, effect, tool, subject, text, workspace, process, window, documentUrl, ancestors, notes, covers } =
    card;
  const shown = {
    agent: agent.via === undefined ? agent : samePart(agent),
    effect,
    tool,
    subject,
    text,
    workspace,
    process,
    window,
    documentUrl,
    ancestors,
    notes,
    covers,
  };
  const asksFor = card.desktops === undefined ? {} : { desktops: card.desktops };
  const { steps, task, plain } = card;
  return { ...shown, ...asksFor, arguments: card.arguments, steps, task, plain };
}

/** A program of another machine is the same after a new connection: its id is made from a secret that only it has. */
const samePart = ({ id, name, claim, via }: Card['agent']) => ({ id, name, claim, via });

/** Compares in constant time. */
export function sameSecret(one: string, other: string): boolean {
  return timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());
}

function assertJson(value: unknown, above: Set<object>): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (typeof value !== 'object') throw new TypeError(`not a JSON value: ${typeof value}`);
  if (above.has(value)) throw new TypeError('not a JSON value: it contains itself');
  above.add(value);
  const inside: unknown[] = Array.isArray(value) ? value : Object.values(value).filter((each) => each !== undefined);
  for (const each of inside) assertJson(each, above);
  above.delete(value);
}
