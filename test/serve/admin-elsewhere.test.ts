/** Who may tell of a host on another machine, and as what it is listed. */
import { expect, test } from 'vitest';
import { createElsewhere } from '../../src/main/agents/elsewhere.js';
import type { Caller } from '../../src/main/pipeline/ports.js';
import type { ElsewhereHost } from '../../src/main/protocol/index.js';
import { elsewhereMethods } from '../../src/main/serve/admin-elsewhere.js';
import type { LinkRefusal } from '../../src/main/serve/pairing/link-permissions.js';

const ROW: ElsewhereHost = { address: 'ssh://ann@far:2222', state: 'connected', url: null, waiting: 1 };
const list = () => createElsewhere({ onContact: () => () => undefined, callers: () => [] }, () => undefined);

function caller(protocol: Caller['protocol'], connectionId = 'one', via: { via?: 'ssh' } = {}): Caller {
  return { protocol, connectionId, agent: { name: 'Claude Code', ...via } } as Caller;
}

/** The rows after it was told, or `refused`. */
function told(by: Caller, row: object, doubt: LinkRefusal | null, elsewhere = list()) {
  const [method] = elsewhereMethods(elsewhere, () => doubt);
  try {
    method?.[1](by, row);
    return elsewhere.list();
  } catch {
    return 'refused';
  }
}

const CLAIM = [{ ...ROW, by: 'Claude Code' }];

test.each<[LinkRefusal | null, unknown, unknown]>([
  [null, [ROW], CLAIM],
  ['no_terminal', [ROW], CLAIM],
  ['agent', 'refused', CLAIM],
  ['unclear', 'refused', CLAIM],
  ['command', 'refused', 'refused'],
  ['host', 'refused', 'refused'],
])('[req:RH-9] [req:RH-10] told where a link would be refused for %s: by a command, and by the shim of an agent', (doubt, command, shim) => {
  expect(told(caller('gabp'), ROW, doubt)).toEqual(command);
  expect(told(caller('mcp'), ROW, doubt)).toEqual(shim);
}); // prettier-ignore

test.each([
  { url: 'http://localhost:4100' },
  { address: 'ssh://far; rm -rf ~' },
  { address: 'unix:///tmp/$(id)' },
  { address: 'Your bank' },
])('[req:RH-10] of an agent %j is not taken', (part) => {
  expect(told(caller('mcp'), { ...ROW, ...part }, null)).toBe('refused');
});

test('[req:RH-10] nobody tells in the name of another, and whoever SSH forwards tells nothing', () => {
  const [row] = told(caller('mcp'), { ...ROW, by: 'You' }, null);
  expect(row).not.toMatchObject({ by: 'You' });
  expect(told(caller('mcp', 'one', { via: 'ssh' }), ROW, 'agent')).toBe('refused');
});

test('[req:RH-9] however many agents tell, the person’s own have room', () => {
  const elsewhere = list();
  const answers = Array.from({ length: 60 }, (_, index) => told(caller('mcp', `agent ${index}`), ROW, null, elsewhere));
  expect(answers.filter((answer) => answer === 'refused')).toHaveLength(40);
  expect(told(caller('gabp', 'person'), ROW, null, elsewhere)).toHaveLength(21);
  expect(told(caller('mcp', 'agent 0'), { ...ROW, waiting: 5 }, null, elsewhere)).toHaveLength(21);
});
