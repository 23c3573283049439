const at = (file, test) => (name, from, to, fails) => ({ name, file: `src/main/host/${file}`, test: `test/host/${test}`, from, to, fails }); // prettier-ignore
const codes = at('pairing-codes.ts', 'pairing.test.ts');
const keys = at('pairing-keys.ts', 'pairing.test.ts');
const requests = at('pairing-requests.ts', 'pairing-requests.test.ts');
const guard = at('protection.ts', 'protection.test.ts');
const pairing = at('pairing.ts', 'pairing.test.ts');

// prettier-ignore
export const PAIRING = [
  codes('link-never-expires', 'if (until <= now()) issued.delete(hash);', '', ''),
  codes('link-guessed-for-ever', 'return wrong.length >= WRONG.together || wrong.filter((each) => each.source === source).length >= WRONG.perSource;', 'return false;', ''),
  codes('link-works-twice', 'spend: (code) => void issued.delete(hashOf(code)),', 'spend: () => undefined,', ''),
  codes('open-link-not-told', 'return issued.size > 0;', 'return false;', ''),
  keys('key-file-others-can-write', '&& (stats.mode & 0o022) === 0', '', ''),
  keys('key-stays-after-removal', '      keys.delete(keyId);\n', '', ''),
  pairing('any-signature', "const good = verify('sha256', text, { key: keyObject(key.publicKey), dsaEncoding: 'ieee-p1363' }, bytes);", 'const good = text.length > 0;', ''),
  requests('further-page-unasked', "if (link.by === 'cli') return confirmedIn();", "if (link.by === 'cli') return null;", ''),
  requests('denied-page-paired', "if (decision !== null && decision.kind !== 'allowed') {", 'if (false) {', ''),
  requests('command-redeems-a-link', 'if (fault !== null) {', 'if (false) {', ''),
  requests('pairing-off-the-record', "await record({ ...line, event: 'paired', decision: decision && placeOf(decision) });", '', ''),
  requests('link-open-while-asked', '    offer.spend();\n', '', ''),
  requests('unnamed-browser-unasked', "return client === null ? (popover ? 'popover' : confirmedIn()) : null;", 'return null;', ''),
  requests('pairing-asked-as-ordinary', "effect: 'dangerous' }", "effect: 'input' }", ''),
  guard('second-document-unseen', '...(documents?.urls ?? []), ', '', ''),
  guard('untold-browser-open', 'isProtected: (window) => window !== null && (isKnown(window) || isUntold(window)),', 'isProtected: (window) => window !== null && isKnown(window),', ''),
  guard('hidden-page-counts-as-visible', 'paired && visible && (line', 'paired && (line', ''),
  guard('own-process-open', 'if (pid === ownPid) return true;', '', ''),
  guard('document-of-ours-shown', 'hidesDocument: (pid, url) => (url === null ? from(pid).length > 0 : isOurs(url)),', 'hidesDocument: (pid, url) => url === null && from(pid).length > 0,', ''),
];
