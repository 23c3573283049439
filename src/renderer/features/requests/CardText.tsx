/** The exact text or command, whole, with line numbers; long ones scroll in place and say so. */
import type { ReactNode } from 'react';
import type { Card } from '../../../main/protocol/index.js';
import { say, t } from '../../strings.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { splitNotes } from './card-notes.js';

/** Beyond this many lines they are shown without numbers. */
const MAX_NUMBERED_LINES = 400;
const SCROLLS_FROM_LINES = 16;
const SCROLLS_FROM_CHARACTERS = 1500;
const COMMAND = /^execute_|^run_/;

export function CardText({ text, card }: { text: string; card: Card }): ReactNode {
  const lines = text.split(/\r\n|\n/);
  const scrolls = lines.length > SCROLLS_FROM_LINES || text.length > SCROLLS_FROM_CHARACTERS;
  const whole = COMMAND.test(card.tool)
    ? t('page.card.whole_command', { lines: lines.length })
    : t('page.card.whole', { lines: lines.length, characters: [...text].length });
  return (
    <div className="cmd">
      <pre
        className={scrolls ? 'scrolls' : undefined}
        tabIndex={scrolls ? 0 : undefined}
        aria-label={whole}
        role="group"
      >
        {lines.length > MAX_NUMBERED_LINES ? (
          <RevealedText text={text} />
        ) : (
          lines.map((line, index) => <Line key={index} number={index + 1} text={line} numbered={lines.length > 1} />)
        )}
      </pre>
      <div className="cmd-f">
        <span>{scrolls ? `${whole}${t('page.marks.stop')}${t('page.card.scroll')}` : whole}</span>
        {splitNotes(card.notes)
          .shown.map(say)
          .map((note) => (
            <span key={note}>
              <RevealedText text={note} />
            </span>
          ))}
      </div>
    </div>
  );
}

function Line({ number, text, numbered }: { number: number; text: string; numbered: boolean }): ReactNode {
  return (
    <code className={numbered ? 'ln' : 'ln single'}>
      {numbered ? <i aria-hidden="true">{number}</i> : null}
      <span>{text === '' ? '\u00a0' : <RevealedText text={text} keepWordsWhole />}</span>
    </code>
  );
}
