import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { argvOf, commandText, shellQuote } from '../../../src/main/tools/commands/command-line.js';
import { decodeOutput, visible } from '../../../src/main/tools/commands/result.js';

const asked = { command: 'ls', args: [], folder: '/work', environment: {}, stdin: null, shell: false };

const BASH = { env: { LC_ALL: 'C.UTF-8' }, stdio: ['ignore', 'pipe', 'inherit'] } satisfies ExecFileSyncOptions;

describe('a command on a card', () => {
  it('is one line that a shell reads as exactly these words', () => {
    const words = fc.array(
      fc.string({ unit: 'binary' }).map((one) => one.replaceAll('\0', '')),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(words, (all) => {
        const line = all.map(shellQuote).join(' ');
        expect(line).not.toMatch(/[\n\r\p{Cc}\p{Cf}]/u);
        const script = `printf '%s\\0' ${line}`;
        const read = execFileSync('/bin/bash', ['--norc', '-c', script], BASH).toString();
        expect(read).toBe(all.length === 0 ? '\0' : all.map((one) => `${one}\0`).join(''));
      }),
      { numRuns: 25 },
    );
  });

  it('shows environment, words and input, the command on the first line, each where it cannot be taken for another', () => {
    expect(commandText(asked)).toBe('ls');
    expect(commandText({ ...asked, args: ['-l', 'my file', "it's", '$(rm -rf ~)'] })).toBe(
      `ls -l 'my file' 'it'\\''s' '$(rm -rf ~)'`,
    );
    expect(commandText({ ...asked, environment: { A: '1 2', B: 'x' }, stdin: 'one\ntwo' })).toBe(
      "A='1 2' B=x ls < (below)\none\ntwo",
    );
    expect(commandText({ ...asked, args: ['x\ncd /elsewhere', '\u202etxt', '\u001b[2K'] })).toBe(
      "ls $'x\\ncd /elsewhere' $'\\U0000202etxt' $'\\x1b[2K'",
    );
  });

  it('shows a script as it is, and quoted where it could be taken for the input', () => {
    const script = { ...asked, command: 'echo hi\nls', shell: true };
    expect(commandText(script)).toBe('echo hi\nls');
    expect(commandText({ ...script, args: ['(below)'] })).toBe("/bin/sh -c (below) sh '(below)'\necho hi\nls");
    expect(commandText({ ...script, stdin: 'data' })).toBe("/bin/sh -c $'echo hi\\nls' sh < (below)\ndata");
    expect(commandText({ ...script, command: 'cat < (below)\nrm -rf x' })).toBe(
      '/bin/sh -c (below)\ncat < (below)\nrm -rf x',
    );
    expect(argvOf({ ...script, args: ['a'] })).toEqual(['/bin/sh', '-c', 'echo hi\nls', 'sh', 'a']);
  });
});

describe('what a command wrote', () => {
  const output = (text: string | Buffer, cap = 1000) => {
    const all = Buffer.from(text);
    const half = Math.floor(cap / 2);
    return { bytes: all.length, head: all.subarray(0, half), tail: all.subarray(Math.max(half, all.length - half)) };
  };

  it('is given whole where it fits, else start and end with the number of bytes between', () => {
    expect(decodeOutput(output('Grüße\n'), 1000)).toEqual({ text: 'Grüße\n', binary: false, truncated: false });
    expect(decodeOutput(output('a'.repeat(900)), 900).text).toBe('a'.repeat(900));
    const cut = decodeOutput(output(`${'a'.repeat(600)}${'b'.repeat(600)}`, 400), 400);
    expect(cut).toEqual({
      text: `${'a'.repeat(200)}\n[… 800 bytes left out …]\n${'b'.repeat(200)}`,
      binary: false,
      truncated: true,
    });
    const smaller = decodeOutput(output(`${'a'.repeat(300)}${'b'.repeat(300)}`), 100);
    expect(smaller.text).toBe(`${'a'.repeat(50)}\n[… 500 bytes left out …]\n${'b'.repeat(50)}`);
  });

  it('is never cut inside a character, and says where bytes are no text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 60 }), fc.constantFrom('ü', '世', '👋'), (most, character) => {
        const { text, binary } = decodeOutput(output(character.repeat(100), 200), most);
        expect(binary).toBe(false);
        expect(text).not.toContain('\ufffd');
      }),
    );
    expect(decodeOutput(output(Buffer.from([0x61, 0xff, 0xfe, 0x62])), 1000)).toEqual({
      text: 'a\ufffd\ufffdb',
      binary: true,
      truncated: false,
    });
  });

  it('is read with everything visible that would hide or turn around', () => {
    expect(visible('ok\r\n\ttab \u001b[31mred\u0007 \u202eevil\u200b\0 \u{e0041}')).toBe(
      'ok\n\ttab ‹U+001B›[31mred‹U+0007› ‹U+202E›evil‹U+200B›‹U+0000› ‹U+E0041›',
    );
  });
});
