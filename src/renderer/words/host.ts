/** What the host composed in English, in the page's language. What agents and applications wrote never comes in here. Pure. */
import { enRefusals, enSaid } from './en-host.js';
import { createPhrasebook, type Phrases } from './phrasebook.js';

/** A language's sentences for the host's. */
export interface HostWords {
  said: Phrases;
}

export interface Host {
  said(english: string): string;
  /** null where no sentence of the host's is known for it: then the person said it. */
  refusal(english: string): string | null;
}

/** null: English, as it comes. */
export function createHost(words: HostWords | null): Host {
  const { say } = createPhrasebook(words === null ? enSaid : words.said);
  const said = (english: string) => say(english) ?? english;
  if (words !== null) return { said, refusal: say };
  return { said, refusal: createPhrasebook(Object.fromEntries(enRefusals.map((one) => [one, one]))).say };
}
