/** Text that an agent controls: hidden characters are labelled, and its writing direction does not affect the text around it. */
import { memo, type ReactNode } from 'react';
import { reveal, segmentText, type RevealedSegment } from '../../main/protocol/index.js';

/** Beyond this many segments the labels are plain text in brackets, so that no text can slow the page down. */
const MAX_LABELLED_SEGMENTS = 2000;
/** Words up to this length are never broken, so that no line ends at a hyphen of an option. */
const MAX_UNBROKEN_WORD = 22;
const MAX_UNBROKEN_TEXT = 4000;

export const RevealedText = memo(function RevealedText({
  text,
  keepWordsWhole = false,
}: {
  text: string;
  keepWordsWhole?: boolean;
}): ReactNode {
  const { segments } = reveal(text);
  return (
    <bdi className="shown">
      <RevealedSegments segments={segments} words={keepWordsWhole && text.length <= MAX_UNBROKEN_TEXT} />
    </bdi>
  );
});

export function RevealedSegments({
  segments,
  words = false,
}: {
  segments: RevealedSegment[];
  words?: boolean;
}): ReactNode {
  if (segments.length > MAX_LABELLED_SEGMENTS) return segments.map(segmentText).join('');
  return segments.map((segment, index) => <Segment key={index} segment={segment} words={words} />);
}

function Segment({ segment, words }: { segment: RevealedSegment; words: boolean }): ReactNode {
  if (segment.kind === 'text') return words ? wholeWords(segment.text) : segment.text;
  if (segment.kind === 'newline') return <NewLine label={segment.label} />;
  if (segment.kind !== 'mixed_script') return <span className="hid">{segment.label}</span>;
  return (
    <>
      <span className="mixed">{segment.text}</span>
      <span className="hid">{segment.label}</span>
    </>
  );
}

function NewLine({ label }: { label: string }): ReactNode {
  return (
    <>
      <span className="ws" aria-hidden="true">
        {label}
      </span>
      {'\n'}
    </>
  );
}

function wholeWords(text: string): ReactNode[] {
  return text.split(/( +)/).map((word, index) => {
    const keep = word.includes('-') && word.length <= MAX_UNBROKEN_WORD;
    return keep ? (
      <span key={index} className="tok">
        {word}
      </span>
    ) : (
      word
    );
  });
}
