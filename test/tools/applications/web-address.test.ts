import { expect, test } from 'vitest';
import { WireError } from '../../../src/main/protocol/index.js';
import { saysMore, webAddress } from '../../../src/main/tools/applications/open-url.js';
import { inEnglish } from '../../../src/messages/index.js';

const problem = (given: string): string => {
  try {
    webAddress(given);
  } catch (thrown) {
    if (!(thrown instanceof WireError)) throw thrown;
    expect(thrown.details['next']).toEqual(expect.any(String));
    return inEnglish.format(thrown.text);
  }
  throw new Error(`${given} was taken`);
};

test.each([
  ...['file:///etc/passwd', 'javascript:alert(1)', 'data:text/html,x', 'ftp://a.example/', 'chrome://settings', 'about:blank'],
  ...['view-source:http://a.example/', 'blob:http://a.example/1', 'localhost:18099', 'JAVASCRIPT:alert(1)', 'ws://a.example/'],
])('%s is no web page', (given) => expect(problem(given)).toContain('Only http and https')); // prettier-ignore

test.each([
  '-version',
  '--user-data-dir=/home',
  'example.com',
  '',
  '/etc/passwd',
  '?a',
  'http:example.com',
  'http:///a',
])('“%s” is not a web address', (given) => expect(problem(given)).toBe('This is not a web address.'));

test.each([
  'http://ada:secret@a.example/',
  'https://ada@a.example',
  'http://@a.example/',
  'https://a.example@evil.example/',
])('%s holds a login', (given) => expect(problem(given)).toContain('user name or a password'));

test.each(['\n', '\t', ' ', '\0', '\u202e', '\u200b', '\u00a0', '\ufeff', '\\', '\u2028', '\u0007'])(
  'the sign %j is refused wherever it stands',
  (sign) => {
    for (const given of [`http://a.example/${sign}b`, `${sign}http://a.example/`, `http://a.example/${sign}`])
      expect(problem(given)).toContain('invisible');
  },
);

test('a very long one is refused', () => {
  expect(webAddress(`http://a.example/${'x'.repeat(1_900)}`).href).toHaveLength(1_917);
  expect(problem(`http://a.example/${'x'.repeat(2_000)}`)).toContain('too long');
  expect(problem(`http://a.example/${'語'.repeat(1_500)}`)).toContain('too long');
});

test('a look-alike is shown as what it is', () => {
  expect(webAddress('https://раураl.com/').host).toBe('xn--l-7sba6dbr.com');
  expect(webAddress('http://2130706433/').host).toBe('127.0.0.1');
  expect(webAddress('HTTP://A.Example:80').href).toBe('http://a.example/');
});

test('an address that names what is done says so, an ordinary one does not', () => {
  const says = (path: string) => saysMore(new URL(path, 'https://a.example'));
  for (const path of [
    '/delete/4',
    '/account/delete',
    '/?action=delete',
    '/mail/send',
    '/unsubscribe?id=1',
    '/%64elete',
  ])
    expect(says(path), path).not.toBeNull();
  for (const path of ['/', '/order', '/orders/17', '/docs/guide.html?page=2', '/search?q=shoes', '/index.html#delete'])
    expect(says(path), path).toBeNull();
});
