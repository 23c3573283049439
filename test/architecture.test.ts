import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  isBudgeted,
  lengthBreaches,
  linesOf,
  openingBreaches,
  smallFiles,
  stateBreaches,
  typeBreaches,
} from './architecture/code.js';
import { cyclesIn } from './architecture/cycles.js';
import { functionBreaches, ignoreBreaches } from './architecture/functions.js';
import { importBreaches } from './architecture/imports.js';
import { BUDGET, MEDIAN, SMALL } from './architecture/layers.js';
import { sentenceBreaches } from './architecture/sentences.js';
import { source, sourcesBelow, type Source } from './architecture/source.js';

describe('the source', () => {
  let sources: Source[] = [];
  beforeAll(async () => {
    sources = await sourcesBelow(join(import.meta.dirname, '..'), ['src', 'test', 'bench']);
  });

  it('[req:DS-1-1] [req:DS-2-1] [req:TI-7] has imports that point down', () => {
    expect(sources.length).toBeGreaterThan(100);
    expect(sources.flatMap(importBreaches)).toEqual([]);
  });

  it('has no files that import each other, for values or for types', () => {
    expect(cyclesIn(sources.filter(({ path }) => path.startsWith('src/')))).toEqual([]);
  });

  it('[req:BC-0-1] opens a desktop in the host only: clients orchestrate', () => {
    const reaching = (layer: string, name: RegExp) =>
      sources.filter(({ path, file }) => path.startsWith(`src/${layer}/`) && name.test(file.text));
    const native = /from '[./]+native\/(?!peer\/|process\/supervisor)|import\('[./]+native\//;
    expect(reaching('main/host', native)).not.toEqual([]);
    for (const client of ['main/shim', 'main/cli', 'renderer'])
      expect(reaching(client, native).map(({ path }) => path)).toEqual([]);
  });

  it('[req:DS-2-2] has short files, and layers that say what they are for', () => {
    expect([...sources.flatMap(lengthBreaches), ...openingBreaches(sources)]).toEqual([]);
  });

  it('stays within its budget of lines and files', () => {
    const counted = sources.filter(isBudgeted);
    expect(counted.length).toBeLessThanOrEqual(BUDGET.files);
    const lines = counted.map(({ text }) => linesOf(text)).sort((a, b) => a - b);
    const total = lines.reduce((sum, one) => sum + one, 0);
    expect(total).toBeLessThanOrEqual(BUDGET.lines);
    expect(lines[Math.floor(lines.length / 2)]).toBeGreaterThanOrEqual(MEDIAN);
    const tests = sources.filter(({ path }) => path.startsWith('test/'));
    expect(tests.reduce((sum, { text }) => sum + linesOf(text), 0)).toBeLessThanOrEqual(total);
  });

  it('has few files that belong into their one neighbour', () => {
    const small = smallFiles(sources);
    expect(small.length, small.join(', ')).toBeLessThanOrEqual(SMALL.files);
  });

  it('has short functions', () => {
    expect(sources.flatMap(functionBreaches)).toEqual([]);
  });

  it('is laid out by prettier, but for tables of constants', () => {
    expect(sources.flatMap(ignoreBreaches)).toEqual([]);
  });

  it('is typed without holes', () => {
    expect(sources.flatMap(typeBreaches)).toEqual([]);
  });

  it('says nothing to people and agents that is in no catalogue', () => {
    expect(sources.flatMap(sentenceBreaches)).toEqual([]);
  });

  it('keeps no state in modules', () => {
    expect(sources.flatMap(stateBreaches)).toEqual([]);
  });
});

describe('the checks of the source', () => {
  it('find files that import each other, also for types only', () => {
    const one = source('src/a.ts', "import type { B } from './deep/b.js';");
    const other = source('src/deep/b.ts', "export { c } from './c.js';");
    const third = source('src/deep/c.tsx', "const late = import('../a.js');");
    const apart = source('src/d.ts', "import './a.js';");
    expect(cyclesIn([one, other, third, apart])).toEqual([['a.ts', 'deep/b.ts', 'deep/c.tsx']]);
  });

  const imports = (path: string, text: string): string[] => importBreaches(source(path, text));

  it.each([
    ['src/main/protocol/x.ts', "import { a } from '../pipeline/a.js';"],
    ['src/main/protocol/x.ts', "import type { Desktop } from '../../native/desktop.js';"],
    ['src/main/protocol/x.ts', "import { readFile } from 'node:fs/promises';"],
    ['src/main/protocol/x.ts', "import fs from 'fs';"],
    ['src/main/pipeline/x.ts', "export * from '../tools/index.js';"],
    ['src/main/pipeline/x.ts', "const late = await import('../host/index.js');"],
    ['src/main/pipeline/x.ts', "const late = await import('../host/' + name);"],
    ['src/main/pipeline/x.ts', "type Late = import('../host/index.js').Host;"],
    ['src/main/pipeline/x.ts', "import late = require('../host/index.js');"],
    ['src/main/pipeline/x.ts', "const late = require('../host/index.js');"],
    ['src/main/evidence/deep/x.ts', "import { a } from '../../pipeline/a.js';"],
    ['src/main/approvals/x.ts', "import type { A } from '../pipeline/a.js';"],
    ['src/native/linux/x.ts', "import type { ProcessTable } from '../peer/types.js';"],
    ['src/native/linux/x.ts', "import { openSimulated } from '../simulated/index.js';"],
    ['src/native/linux/atspi/x.ts', "import type { XConnection } from '../x11/connection.js';"],
    ['src/native/linux/methods.ts', "import { a } from './x11/background-start.js';"],
    ['src/native/linux/wayland/x.ts', "import { a } from '../x11/a.js';"],
    ['src/native/simulated/x.ts', "import { openDesktop } from '../open.js';"],
    ['src/native/peer/x.ts', "import { DesktopError } from '../desktop.js';"],
    ['src/native/open.ts', "import { WireError } from '../main/protocol/index.js';"],
    ['src/main/host/x.ts', "import koffi from 'koffi';"],
    ['src/main/host/x.ts', "import { app } from 'electron';"],
    ['src/main/host/x.ts', "import { app } from 'electron/main';"],
    ['src/renderer/x.ts', "import { createHost } from '../main/host/index.js';"],
    ['src/renderer/x.ts', "import { join } from 'node:path';"],
    ['src/main/host/x.ts', "import { help } from '../../../test/help.js';"],
    ['src/main/new/x.ts', 'export const a = 1;'],
    ['src/x.ts', 'export const a = 1;'],
  ])('catch %s: %s', (path, text) => {
    expect(imports(path, text)).toHaveLength(1);
  });

  it.each([
    [
      'src/main/host/x.ts',
      "import { a } from '../approvals/a.js'; import { b } from './b.js'; import ws from 'ws'; import 'node:fs';",
    ],
    ['src/main/pipeline/x.ts', "import type { Desktop } from '../../native/desktop.js'; // from '../host/index.js'"],
    ['src/main/pipeline/x.ts', 'const text = "import { a } from \'../host/index.js\'";'],
    [
      'src/native/linux/deep/x.ts',
      "import { DesktopError } from '../../desktop.js'; import { a } from '../a.js'; import x11 from 'x11';",
    ],
    ['src/native/linux/index.ts', "import { a } from './x11/a.js'; import { b } from './atspi/b.js';"],
    ['src/native/open.ts', "const late = await import('./linux/index.js'); import type { P } from './peer/types.js';"],
    ['src/native/peer/x.ts', "import koffi from 'koffi';"],
    ['src/renderer/x.tsx', "import { a } from '../main/protocol/index.js'; import { useState } from 'react';"],
    ['src/main/app/x.ts', "import { app } from 'electron'; import { createHost } from '../host/index.js';"],
  ])('leave alone %s: %s', (path, text) => {
    expect(imports(path, text)).toEqual([]);
  });

  it.each([
    ['const a: any = 1;'],
    ['const a = b as any;'],
    ['const a = b!;'],
    ['const a = b!.c;'],
    ['let a!: string;'],
    ['class A { b!: string; }'],
    ['// @ts-ignore\nconst a = 1;'],
    ['/* @ts-expect-error later */ const a = 1;'],
    ['const a = 1; // @ts-nocheck'],
  ])('catch the type hole in %j', (text) => {
    expect(typeBreaches(source('src/main/host/x.ts', text))).toHaveLength(1);
  });

  it('leave alone words in texts, not-equals and logical not', () => {
    const text = "const any = 'any !. @ts-ignore'; if (any !== b && !any) throw new Error(`any! ${any}`);";
    expect(typeBreaches(source('src/main/host/x.ts', text))).toEqual([]);
  });

  it('catch long files, but count no constant tables', () => {
    const long = Array.from({ length: 451 }, (_, index) => `export function f${index}(): void {}`).join('\n');
    const table = `export const T = [\n${"  ['a', 1],\n".repeat(500)}] as const;\n`;
    const code = `export const run = {\n${'  f: () => 1,\n'.repeat(500)}};\n`;
    expect(lengthBreaches(source('src/main/host/x.ts', long))).toHaveLength(1);
    expect(lengthBreaches(source('src/main/host/x.ts', table))).toEqual([]);
    expect(lengthBreaches(source('src/main/host/x.ts', code))).toHaveLength(1);
    expect(lengthBreaches(source('src/native/linux/x.d.ts', long))).toEqual([]);
    expect(lengthBreaches(source('test/x.ts', long))).toHaveLength(1);
  });

  it.each([
    ["throw new WireError('DESKTOP_TIMEOUT', verbatim('Nobody answered.'));", 1],
    ['fail(verbatim(`There is no ${name} here.`));', 1],
    ["fail(verbatim(late ? 'It is late.' : reason));", 1],
    ["throw new FrameError('the length is missing', before);", 1],
    ["throw new Error('a plan was expected'); throw new FrameError(message('framing.no_length'));", 0],
    ["fail(verbatim('result.json')); fail(verbatim(reason)); fail(verbatim(`${code}: ${reason}`));", 0],
  ])('catch sentences that are in no catalogue: %s', (text, count) => {
    expect(sentenceBreaches(source('src/main/host/x.ts', text))).toHaveLength(count);
    expect(sentenceBreaches(source('test/host/x.ts', text))).toEqual([]);
  });

  it('find short files with one importer beside them', () => {
    const user = source(
      'src/main/host/x.ts',
      "import { a } from './a.js'; import { b } from '../chat/b.js'; import { c } from './c.js';",
    );
    const short = ['host/a', 'chat/b', 'host/c'].map((name) => source(`src/main/${name}.ts`, 'export const a = 1;'));
    const other = source('src/main/chat/y.ts', "import { c } from '../host/c.js';");
    expect(smallFiles([user, other, ...short])).toEqual(['src/main/host/a.ts']);
  });

  it('catch state in modules', () => {
    expect(stateBreaches(source('src/main/host/x.ts', 'let count = 0; const a = 1;'))).toHaveLength(1);
    expect(stateBreaches(source('src/main/host/x.ts', 'export var count = 0;'))).toHaveLength(1);
    expect(stateBreaches(source('src/main/host/x.ts', 'function f() { let a = 1; return a; }'))).toEqual([]);
  });

  it('catch a layer whose main file is missing or opens without a word', () => {
    const opening = '/** Comes in: questions. Goes out: answers, one for each. Called by the host. */\n';
    const host = (text: string): Source[] => [source('src/main/host/index.ts', text)];
    expect(openingBreaches(host(`${opening}export {};`))).toEqual([]);
    expect(openingBreaches(host(`#!/usr/bin/env node\n${opening}export {};`))).toEqual([]);
    expect(openingBreaches(host(`import a from 'a';\n${opening}export {};`))).toHaveLength(1);
    expect(openingBreaches(host('/** Short. */'))).toHaveLength(1);
    expect(openingBreaches([source('src/main/chat/log.ts', opening)])).toEqual(['src/main/chat/index.ts is missing']);
    expect(openingBreaches([source('src/native/peer/index.ts', opening)])).toEqual([]);
  });
});
