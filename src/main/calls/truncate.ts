/** Limits results to the size that clients accept, and says what was left out. Larger results lose the connection. Pure. */
import { isRecord } from '../../base/type-guards.js';
import { sliceText } from '../../base/text.js';

/** Most characters of text and of structured content, each. Known clients keep about 50,000 and put the rest into a file. */
const MAX_CHARACTERS = 200_000;
/** A string longer than its share is shortened before whole items of a list are left out. */
const MAX_STRING_LENGTH = 50_000;

/** How much of a field is left, of a total of `of` list items or characters. */
interface Truncation {
  kept: number;
  of: number;
}

interface MeasuredValue {
  value: Record<string, unknown>;
  /** Characters of its JSON. */
  size: number;
}

export function truncateText(text: string, most = MAX_CHARACTERS): string {
  if (text.length <= most) return text;
  return `${sliceText(text, most)}\n[Cut: ${most} of ${text.length} characters. Ask for less: a smaller page_size or depth, or a narrower parent.]`;
}

/** The value itself where it is small enough; else with long strings and lists shortened, and `cut` with how much is left, by path. */
export const truncateValue = (value: Record<string, unknown>, most = MAX_CHARACTERS): Record<string, unknown> =>
  truncateMeasured(value, most).value;

/** With the size of what is left, because measuring a large value takes as long as sending it. */
export function truncateMeasured(value: Record<string, unknown>, most = MAX_CHARACTERS): MeasuredValue {
  const whole = size(value);
  if (whole <= most) return { value, size: whole };
  const cuts = new Map<string, Truncation>();
  let kept: unknown = value;
  for (let budget = Math.floor(most * 0.9); budget >= 1_000 && size(kept) > most; budget = Math.floor(budget / 2)) {
    cuts.clear();
    kept = shorten(value, budget, [], cuts);
  }
  const truncated = { ...(isRecord(kept) ? kept : {}), cut: Object.fromEntries(cuts) };
  const left = size(truncated);
  return left <= most ? { value: truncated, size: left } : { value: { cut: { '': { kept: 0, of: whole } } }, size: 0 };
}

/** `budget`: characters left for this part. List items use it in their order. */
function shorten(value: unknown, budget: number, path: string[], cuts: Map<string, Truncation>): unknown {
  if (typeof value === 'string') return shortString(value, Math.min(budget, MAX_STRING_LENGTH), path, cuts);
  if (Array.isArray(value)) return shortList(value, budget, path, cuts);
  if (!isRecord(value) || size(value) <= budget) return value;
  const entries = Object.entries(value);
  const small = entries.filter(([, part]) => size(part) <= budget / entries.length);
  const left = budget - small.reduce((sum, [, part]) => sum + size(part), 0);
  const share = Math.floor(left / Math.max(1, entries.length - small.length));
  return Object.fromEntries(entries.map(([name, part]) => [name, shorten(part, share, [...path, name], cuts)]));
}

function shortString(value: string, most: number, path: string[], cuts: Map<string, Truncation>): string {
  if (value.length <= most) return value;
  const kept = sliceText(value, most);
  cuts.set(path.join('.'), { kept: kept.length, of: value.length });
  return kept;
}

function shortList(list: unknown[], budget: number, path: string[], cuts: Map<string, Truncation>): unknown[] {
  if (size(list) <= budget) return list;
  const kept: unknown[] = [];
  let left = budget;
  for (const [index, item] of list.entries()) {
    const one = kept.length === 0 ? shorten(item, left, [...path, String(index)], cuts) : item;
    left -= size(one) + 1;
    if (left < 0) break;
    kept.push(one);
  }
  if (kept.length < list.length) cuts.set(path.join('.'), { kept: kept.length, of: list.length });
  return kept;
}

const size = (value: unknown): number => JSON.stringify(value)?.length ?? 0;
