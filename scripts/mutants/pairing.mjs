const at = (file, test) => (name, from, to, fails) => ({ name, file: `src/main/host/${file}`, test: `test/host/${test}`, from, to, fails }); // prettier-ignore
const codes = at('pairing-codes.ts', 'pairing.test.ts');
const keys = at('pairing-keys.ts', 'pairing.test.ts');
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
  pairing('empty-nonce', "|| nonce === '') return false;", ') return false;', ''),
];
