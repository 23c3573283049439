import { describe, expect, test } from 'vitest';
import { parseAddress, parseCommand } from '../../src/main/remote/address.js';
import { faultOf, remoteError, type RemoteFault, sshArguments } from '../../src/main/remote/ssh.js';
import { isWhereLine, readWhere, whereLine } from '../../src/main/remote/where.js';

const ssh = (host: string, user: string | null = null, port: number | null = null) => ({
  kind: 'ssh',
  host,
  user,
  port,
});

describe('an address [req:RH-5]', () => {
  test.each([
    ['ssh://far', ssh('far')],
    ['ssh://ann@far.example.org:2222', ssh('far.example.org', 'ann', 2222)],
    ['ssh://far/', ssh('far')],
    ['ssh://[::1]:22', ssh('::1', null, 22)],
    ['unix:///run/user/1000/far.sock', { kind: 'unix', path: '/run/user/1000/far.sock' }],
  ])('%s', (text, parsed) => expect(parseAddress(text)).toMatchObject(parsed));

  test.each([
    'far',
    '',
    'ssh://',
    'ssh://-oProxyCommand=id',
    'ssh://-far',
    'ssh://a@-far',
    'ssh://-a@far',
    'ssh://far -oProxyCommand=id',
    'ssh://far;id',
    'ssh://$(id)',
    'ssh://`id`',
    'ssh://far\n-oX',
    'ssh://far%20x',
    'ssh://a:b@far',
    'ssh://far:0',
    'ssh://far:65536',
    'ssh://far:-1',
    'ssh://far/path',
    'ssh://far?x',
    'http://far',
    'unix://relative',
    'unix:///a/../b',
    'unix:///a\0b',
  ])('%j is none', (text) => expect(() => parseAddress(text)).toThrow('isn’t a valid address'));

  test.each(['chaperone', '~/bin/chaperone', '/opt/node/bin/node /opt/chaperone/cli.js'])('%s is run there', (text) =>
    expect(parseCommand(text)).toBe(text),
  );

  test.each(['', '-x', 'a;b', 'a && b', '$(a)', '`a`', 'a|b', "a'b", 'a>b', 'a\nb'])('%j is not', (text) =>
    expect(() => parseCommand(text)).toThrow('cannot be run there'),
  );
});

test('what is a name to SSH stands behind the end of its options, and nothing of this machine is lent [req:RH-5]', () => {
  const address = parseAddress('ssh://ann@far:2222');
  if (address.kind !== 'ssh') throw new Error('unreachable');
  const args = sshArguments({ address, command: 'chaperone where', forwards: ['/a:/b'], program: ['ssh'] });
  expect(args.slice(-8)).toEqual(['-L', '/a:/b', '-p', '2222', '-l', 'ann', '--', 'far', 'chaperone where'].slice(-8));
  for (const option of ['BatchMode=yes', 'ControlPath=none', 'ExitOnForwardFailure=yes', 'PermitLocalCommand=no'])
    expect(args).toContain(option);
  expect(args).toEqual(expect.arrayContaining(['-a', '-x', '-T']));
  expect(args.join(' ')).not.toMatch(/StrictHostKeyChecking|UserKnownHostsFile/);
});

test.each<[string, number | null, RemoteFault, boolean]>([
  ['No ED25519 host key is known for far and you have requested strict checking.\r\nHost key verification failed.', 255, 'key_unknown', false],
  ['@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\r\nHost key verification failed.', 255, 'key_changed', false],
  ['ann@far: Permission denied (publickey).', 255, 'login', false],
  ['ssh: Could not resolve hostname far: Name or service not known', 255, 'no_name', true],
  ['ssh: connect to host far port 22: Connection refused', 255, 'unreachable', true],
  ['Connection closed by 10.0.0.1 port 22', 255, 'unreachable', true],
  ['bind [127.0.0.1]:4000: Address already in use\nchannel_setup_fwd_listener_tcpip: cannot listen to port: 4000', 255, 'port', false],
  ['channel 1: open failed: administratively prohibited: open failed', null, 'forwarding', false],
  ['bash: line 1: chaperone: command not found', 127, 'no_chaperone', false],
  ['', 127, 'no_chaperone', false],
  ['Something else', 1, 'other', true],
])('what SSH says is told as what it is, with the next step: %j [req:RH-6]', (said, code, why, again) => {
  expect(faultOf(code, said)).toBe(why);
  const error = remoteError('ssh://far', why, { output: said, port: 4000 });
  expect(error.retryable).toBe(again);
  expect(error.details['reason']).toBe(`remote_${why}`);
  expect(error.message).toMatch(/^ssh:\/\/far: /);
}); // prettier-ignore

test('what the other machine says cannot act on a terminal', () => {
  const { message } = remoteError('ssh://far', 'other', { output: 'Welcome\u001b[2J\u202e\r\nBye', theirs: '\u0007' });
  expect(message).toContain('Welcome\uFFFD[2J\uFFFD\nBye');
});

test('the line that is searched for is told from what a shell prints', () => {
  const where = { chaperone: '1.2.3', host: { socket: '/s', token: 't'.repeat(64), url: 'http://localhost:1' } };
  const line = whereLine(where);
  expect(isWhereLine(line)).toBe(true);
  expect(readWhere(line)).toEqual(where);
  expect(isWhereLine('Welcome {"chaperone":')).toBe(false);
  for (const host of [{ ...where.host, url: 'http://evil.example' }, { ...where.host, socket: '/a:b' }, { ...where.host, socket: 'a' }])
    expect(readWhere(JSON.stringify({ ...where, host }))).toBeNull();
  expect(readWhere('{"chaperone":')).toBeNull();
}); // prettier-ignore
