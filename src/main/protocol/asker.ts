/** Who asks, in words. Every edge that shows a request calls it. */
import * as z from 'zod';
import { message, type Formatter, type Message } from '../../messages/index.js';
import type { Agent } from './shown.js';

type Asker = Pick<Agent, 'name' | 'person' | 'via'>;

export const askerName = ({ text }: Pick<Formatter, 'text'>, { name, person, via }: Asker): string => {
  if (person === true) return text('asker.person_on_page');
  return via === 'ssh' ? text('asker.via_ssh') : name;
};

/** What the record calls those whose name pages and notifications say in their language. */
export const RECORDED_NAMES = { person: 'You (on the page)', ssh: 'A program via SSH' } as const;

/** Who asked, where nothing but the record's name is known. */
export function recordedName({ text }: Pick<Formatter, 'text'>, name: string): string {
  if (name === RECORDED_NAMES.person) return text('asker.person_on_page');
  return name === RECORDED_NAMES.ssh ? text('asker.via_ssh') : name;
}

/** For sentences with a verb. */
export const askerKind = ({ person }: Pick<Asker, 'person'>): 'person' | 'other' =>
  person === true ? 'person' : 'other';

/** Why a caller is not proven to be the person. `agent`: one started it, or shares its place. `host`, `command`: they started it. */
export const doubtSchema = z.enum(['agent', 'host', 'command', 'unclear', 'no_terminal']);
export type Doubt = z.infer<typeof doubtSchema>;

/** With what to do instead. */
export const doubtText = (doubt: Doubt): Message =>
  message('person.doubt', { doubt: doubt === 'unclear' ? 'other' : doubt });
