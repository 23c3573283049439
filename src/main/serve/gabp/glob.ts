/** Whether a text fits a pattern of `*` (anything) and `?` (one character). Takes time in proportion to their product at most. */
export function globMatches(pattern: string, text: string): boolean {
  let at = 0;
  let star = -1;
  let retry = 0;
  let p = 0;
  while (at < text.length) {
    if (pattern[p] === '*') {
      star = p++;
      retry = at;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[at])) {
      p++;
      at++;
    } else if (star >= 0) {
      p = star + 1;
      at = ++retry;
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(p));
}
