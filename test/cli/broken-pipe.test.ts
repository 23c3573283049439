/** Commands whose reader has gone, as that of `chaperone tools | head -1` does. */
import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ENTRY, createHome, type Home } from '../support/command.js';
import { until } from '../shim/support.js';

let home: Home;
beforeAll(() => {
  home = createHome();
});
afterAll(() => home.close());

/** The command starts at the first line of its stdin, when nothing reads its stdout any more. */
const PIPE = '{ read -r _; "$@"; echo "ended $?" >&2; } | { exec 0<&-; echo gone >&2; }';

/** What it wrote to stderr, with its exit code as the last line. */
async function withoutReader(args: readonly string[], input = ''): Promise<string> {
  const shell = spawn('/bin/sh', ['-c', PIPE, 'sh', process.execPath, ENTRY, ...args], { env: home.env });
  let errors = '';
  shell.stderr.on('data', (chunk) => (errors += String(chunk)));
  shell.stdin.on('error', () => undefined);
  await until(() => errors.includes('gone\n'));
  shell.stdin.write(`\n${input}`);
  await new Promise((resolve) => shell.on('close', resolve));
  return errors.replace('gone\n', '');
}

it.each([['--help'], ['host --help'], ['help call'], ['--version'], ['tools'], ['doctor --json']])(
  '%s ends without a word, as SIGPIPE would end it',
  async (line) => {
    expect(await withoutReader(line.split(' '))).toBe('ended 141\n');
  },
);

it('the MCP server ends as ever: with its agent, and as a success', async () => {
  const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize });
  expect(await withoutReader(['mcp'], `${request}\n`)).toMatch(/^(?:http:\/\/localhost:\d+\n)?ended 0\n$/);
});
