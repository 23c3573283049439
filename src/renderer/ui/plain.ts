/** Agent text where no markup can go. */
import { reveal } from '../../main/protocol/index.js';

export {
  MAX_AGENT_NAME_LENGTH as LONG_AGENT,
  toPlainText as plain,
  segmentText as spelled,
} from '../../main/protocol/index.js';

/** Up to two visible letters. */
export function tileText(text: string): string {
  const seen = reveal(text).segments.filter(({ kind }) => kind === 'text' || kind === 'mixed_script');
  return (
    [
      ...seen
        .map((segment) => segment.text)
        .join('')
        .trim(),
    ]
      .slice(0, 2)
      .join('') || '?'
  );
}
