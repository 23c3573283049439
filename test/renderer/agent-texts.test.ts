import { describe, expect, test } from 'vitest';
import { takePairCode } from '../../src/renderer/net/pairing.js';
import { agentTexts, hasLongName, markedTexts } from '../../src/renderer/ui/agents.js';
import { countdown } from '../../src/renderer/ui/formats.js';
import { card, CLAUDE } from '../support/page-samples.js';

const RLO = '\u202e';

describe('marked texts of a card', () => {
  test('none in an ordinary card', () => {
    expect(markedTexts(card())).toEqual([]);
    expect(hasLongName(card())).toBe(false);
  });

  test.each([
    ['target', card({ subject: { ...card().subject, target: `a${RLO}b` } })],
    ['place', card({ subject: { ...card().subject, place: `a${RLO}b` } })],
    ['app', card({ subject: { ...card().subject, app: `a${RLO}b` } })],
    ['text', card({ text: `a${RLO}b` })],
    ['claim', card({ agent: { ...CLAUDE, claim: `a${RLO}b` } })],
    ['an argument', card({ arguments: { deep: [{ inner: `a${RLO}b` }] } })],
    ['the name of an argument', card({ arguments: { [`a${RLO}b`]: 1 } })],
    ['the window', card({ window: `a${RLO}b` })],
    ['an ancestor', card({ ancestors: [`a${RLO}b`] })],
    ['the script', card({ agent: { ...CLAUDE, script: `a${RLO}b` } })],
  ])('finds one in %s', (_, marked) => {
    expect(markedTexts(marked)).toHaveLength(1);
    expect(agentTexts(marked)).toContain(`a${RLO}b`);
  });

  test('counts what a command and its argument share once', () => {
    const command = `rm a${RLO}b`;
    const marked = markedTexts(card({ text: `cd /work\n${command}`, arguments: { command } }));
    expect(marked.map(({ marks }) => marks)).toEqual([1]);
  });

  test('shows the piece around the first mark, on its line', () => {
    const [piece] = markedTexts(card({ text: `${'x'.repeat(500)} invoice_${RLO}fdp.exe\nnext line` }));
    const text = piece?.segments.map((segment) => segment.text).join('') ?? '';
    expect(text).toContain(`invoice_${RLO}fdp.exe`);
    expect(text.length).toBeLessThan(60);
    expect(text).not.toContain('next');
  });
});

test('a pairing code is taken out of the address, also when it is no code', () => {
  const replaced: string[] = [];
  const history = {
    replaceState: (_state: unknown, _title: string, url?: string | URL | null) => void replaced.push(String(url)),
  };
  const at = (hash: string) => ({ hash, pathname: '/', search: '?x=1' });
  expect(takePairCode(at('#pair=ab-C_1'), history)).toBe('ab-C_1');
  expect(takePairCode(at('#pair=a b'), history)).toBeNull();
  expect(replaced).toEqual(['/?x=1', '/?x=1']);
  expect(takePairCode(at('#needs'), history)).toBeNull();
  expect(replaced).toHaveLength(2);
});

test('a countdown shows 0:00 only when it is over', () => {
  expect([252_000, 60_000, 59_001, 1, 0, -5].map(countdown)).toEqual(['4:12', '1:00', '1:00', '0:01', '0:00', '0:00']);
});
