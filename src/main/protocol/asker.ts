/** Who asks, in words. Every edge that shows a request calls it. */
import type { Formatter } from '../../messages/index.js';
import type { Agent } from './shown.js';

type Asker = Pick<Agent, 'name' | 'person'>;

export const askerName = ({ text }: Pick<Formatter, 'text'>, { name, person }: Asker): string =>
  person === true ? text('asker.person_on_page') : name;

/** For sentences with a verb. */
export const askerKind = ({ person }: Pick<Asker, 'person'>): 'person' | 'other' =>
  person === true ? 'person' : 'other';
