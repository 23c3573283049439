/** Who asks, in words. Every edge that shows a request calls it. */
import type { Formatter } from '../../messages/index.js';
import type { Agent } from './shown.js';

type Asker = Pick<Agent, 'name' | 'person' | 'via'>;

export const askerName = ({ text }: Pick<Formatter, 'text'>, { name, person, via }: Asker): string => {
  if (person === true) return text('asker.person_on_page');
  return via === 'ssh' ? text('asker.via_ssh') : name;
};

/** For sentences with a verb. */
export const askerKind = ({ person }: Pick<Asker, 'person'>): 'person' | 'other' =>
  person === true ? 'person' : 'other';
