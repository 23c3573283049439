/** Compares what was read with what is there. Pure. */

/** What was read beside a label belongs to it up to this far, in points. */
const BESIDE = 3;

/** `words` are { text, frame }. For each label: its words, how many of them were read, its letters, and how many are wrong. */
export function scoreOf(truth, words) {
  const unused = new Set(words);
  const labels = truth.map(({ text, size, kind, frame }) => {
    const inside = words.filter((word) => isIn(word.frame, frame));
    for (const word of inside) unused.delete(word);
    const read = inside
      .toSorted((a, b) => a.frame.x - b.frame.x)
      .map((word) => plain(word.text))
      .join(' ');
    const wanted = plain(text);
    const [bare, found] = [wanted.replaceAll(' ', ''), read.replaceAll(' ', '')];
    return {
      text,
      read,
      size,
      kind,
      words: wanted.split(' ').length,
      wordsRead: wordsRead(wanted, read, bare === found),
      letters: [...bare].length,
      wrong: Math.min([...bare].length, distance([...bare], [...found])),
    };
  });
  return { labels, extra: unused.size };
}

/** Chinese has no spaces, and recognition puts some between its letters; elsewhere a lost space costs both words. */
function wordsRead(wanted, read, sameLetters) {
  const words = wanted.split(' ');
  if (words.length === 1 && sameLetters) return 1;
  const found = read.split(' ');
  return words.filter((word) => {
    const at = found.indexOf(word);
    if (at >= 0) found.splice(at, 1);
    return at >= 0;
  }).length;
}

function isIn({ x, y, width, height }, frame) {
  const [across, down] = [x + width / 2, y + height / 2];
  return (
    across >= frame.x - BESIDE &&
    across <= frame.x + frame.width + BESIDE &&
    down >= frame.y - BESIDE &&
    down <= frame.y + frame.height + BESIDE
  );
}

/** One form for signs that look alike. */
function plain(text) {
  return text
    .normalize('NFC')
    .replaceAll(/[‘’`´]/gu, "'")
    .replaceAll(/[‐-―−]/gu, '-')
    .replaceAll('…', '...')
    .replaceAll('，', ',')
    .trim();
}

/** Letters to add, drop or change. */
export function distance(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of one.entries()) {
    const next = [index + 1];
    for (const [at, against] of other.entries())
      next.push(Math.min(row[at + 1] + 1, next[at] + 1, row[at] + (letter === against ? 0 : 1)));
    row = next;
  }
  return row.at(-1);
}

/** Shares of words and letters that were read rightly, in percent. */
export function shares(labels) {
  const sum = (key) => labels.reduce((total, one) => total + one[key], 0);
  return {
    words: (100 * sum('wordsRead')) / sum('words'),
    letters: 100 - (100 * sum('wrong')) / sum('letters'),
    count: sum('words'),
  };
}
