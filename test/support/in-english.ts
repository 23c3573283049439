import { formatEnglish, type Message } from '../../src/messages/index.js';
import type { GrantChoice } from '../../src/main/protocol/index.js';

/** A choice of a card with its texts. */
export const inEnglish = ({ label, consequence, ...choice }: GrantChoice) => ({
  ...choice,
  label: formatEnglish(label),
  consequence: formatEnglish(consequence),
});

/** What a card or plan says beside its title. */
export const notesOf = ({ notes }: { notes: readonly Message[] }): string[] => notes.map(formatEnglish);
