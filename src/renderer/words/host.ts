/** What the host composed in English, in the page's language. What agents and applications wrote never comes in here. Pure. */
import { createPhrasebook, type Phrases } from './phrasebook.js';

/** A language's sentences for the host's. */
export interface HostWords {
  said: Phrases;
}

export interface Host {
  said(english: string): string;
}

/** null: English, as it comes. */
export function createHost(words: HostWords | null): Host {
  const { say } = createPhrasebook(words === null ? {} : words.said);
  return { said: (english) => say(english) ?? english };
}
