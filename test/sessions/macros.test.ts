import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createMacros, type Macro } from '../../src/main/sessions/index.js';
import { CALLER } from '../support/pipeline.js';

const DRAFT: Omit<Macro, 'name' | 'created_at' | 'by'> = {
  display_name: 'Greet',
  description: '',
  parameters: [{ name: 'who', description: '', default: null }],
  steps: [{ tool: 'type_text', arguments: { text: '{{who}}', application: 'mail' } }],
};

function folder() {
  const dir = mkdtempSync(join(tmpdir(), 'chaperone-macros-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const file = join(dir, 'macros.json');
  const said: string[] = [];
  const open = () => createMacros({ file, now: () => 1_763_719_200_000, log: (message) => void said.push(message) });
  return { dir, file, open, said };
}

describe('the file of macros', () => {
  test('is private, whole, and read again by the next host', () => {
    const { file, open } = folder();
    const made = open().create(DRAFT, CALLER.agent);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(open().list(CALLER.agent)).toEqual([made]);
    expect(open().get(made.name, CALLER.agent)).toMatchObject({
      ...DRAFT,
      by: { name: 'Agent', executable: '/bin/agent', script: null },
    });
    open().remove(made.name, CALLER.agent);
    expect(open().list(CALLER.agent)).toEqual([]);
  });

  test.each([
    ['no JSON', '{'],
    ['another shape', '{"version":1,"macros":[{"name":"macros/x"}]}'],
    ['more than it may hold', JSON.stringify({ version: 1, macros: Array(201).fill({}) })],
  ])('that cannot be read (%s) is put aside, said so, and does not stop anything', (_what, content) => {
    const { dir, file, open, said } = folder();
    writeFileSync(file, content, { mode: 0o600 });
    const macros = open();
    expect(macros.list(CALLER.agent)).toEqual([]);
    expect(said).toHaveLength(1);
    const aside = readdirSync(dir).find((name) => name.startsWith('macros.json.unreadable'));
    expect(readFileSync(join(dir, aside ?? ''), 'utf8')).toBe(content);
    expect(macros.problem).toContain(aside ?? 'nothing');
    macros.create(DRAFT, CALLER.agent);
    expect(open().list(CALLER.agent)).toHaveLength(1);
  });

  test('that others may write is not believed', () => {
    const { file, open } = folder();
    open().create(DRAFT, CALLER.agent);
    chmodSync(file, 0o666);
    expect(open().list(CALLER.agent)).toEqual([]);
  });

  test('has room for every program: one alone cannot fill it', () => {
    const { open } = folder();
    const macros = open();
    for (let index = 0; index < 100; index += 1) macros.create(DRAFT, CALLER.agent);
    expect(() => macros.create(DRAFT, CALLER.agent)).toThrow(/already has/);
    macros.create(DRAFT, { ...CALLER.agent, executable: '/bin/other' });
    expect(() =>
      macros.create(
        { ...DRAFT, steps: [{ tool: 'wait', arguments: { a: 'x'.repeat(60_000) } }] },
        { ...CALLER.agent, executable: '/bin/third' },
      ),
    ).toThrow(/characters/);
  });

  test('shows, gives and loses a macro only to the program that recorded it, however often it was started', () => {
    const { open } = folder();
    const macros = open();
    const { name } = macros.create(DRAFT, CALLER.agent);
    for (const other of [{ executable: '/bin/other' }, { script: '/work/agent.js' }, { executable: '' }]) {
      const agent = { ...CALLER.agent, ...other };
      expect(macros.list(agent)).toEqual([]);
      expect(() => macros.get(name, agent)).toThrow(/You have no macro/);
      expect(() => macros.remove(name, agent)).toThrow(/You have no macro/);
    }
    const again = { ...CALLER.agent, id: 'agent-9', pid: 99, startTime: '9' };
    expect(macros.list(again)).toHaveLength(1);
  });

  test('keeps nothing for a program that the system does not name', () => {
    const { open } = folder();
    expect(() => open().create(DRAFT, { ...CALLER.agent, executable: '' })).toThrow(/which program you are/);
  });
});
