import { formatEnglish } from '../../src/messages/index.js';
import type { GrantChoice } from '../../src/main/protocol/index.js';

/** A choice of a card with its texts. */
export const inEnglish = ({ label, consequence, ...choice }: GrantChoice) => ({
  ...choice,
  label: formatEnglish(label),
  consequence: formatEnglish(consequence),
});
