/** The parts of a date or time field, told by `setValue` where it refuses one because it takes keys only. `untold`: the part tells no limits, from which its kind is known. */
const KINDS = [
  'year', 'month', 'week', 'day', 'hour', 'hour of 12', 'half of the day', 'minute', 'second', 'millisecond',
  'untold',
] as const; // prettier-ignore

export type DatePartKind = (typeof KINDS)[number];

export interface DatePart {
  kind: DatePartKind;
  /** Of its element. */
  id: string;
}

export function isDatePart(part: unknown): part is DatePart {
  if (typeof part !== 'object' || part === null || !('kind' in part) || !('id' in part)) return false;
  return typeof part.id === 'string' && KINDS.some((kind) => kind === part.kind);
}
