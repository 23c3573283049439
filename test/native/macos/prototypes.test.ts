import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import koffi from 'koffi';
import { describe, expect, it } from 'vitest';
import { LIBRARY_PATHS, PROTOTYPES } from '../../../src/native/macos/calls/libraries.js';
import { METHODS, sendEntry } from '../../../src/native/macos/calls/objective-c.js';
import type { CType, Prototype, PrototypeTable } from '../../../src/native/macos/calls/types.js';
import { signatureOf, signaturesIn } from '../../support/macos/c-prototypes.js';
import { encodedSignature } from '../../support/macos/encodings.js';
import { compileStandin, RUNTIMES, standinSources } from '../../support/macos/standin.js';
import { EXPORTED } from './exported-symbols.js';

const tables: [string, PrototypeTable][] = Object.entries(PROTOTYPES);
const prototypes: [string, Prototype][] = tables.flatMap(([, table]) => Object.entries(table));
const methods: [string, Prototype][] = Object.entries(METHODS);
/** The real runtime's own. */
const NOT_OURS = new Set(['sel_registerName']);
const apple = signaturesIn(readFileSync(join(import.meta.dirname, 'apple-prototypes.h'), 'utf8'));
const standins = RUNTIMES.map((runtime) => ({
  runtime,
  defines: signaturesIn(
    standinSources(runtime)
      .map((path) => readFileSync(path, 'utf8'))
      .join('\n'),
  ),
}));
const encodings: (selector: string) => string = koffi
  .load(compileStandin('gnustep'))
  .func('str standin_encodings(str)');

describe('the prototype table', () => {
  it.each(prototypes)('says of %s what Apple declares', (name, prototype) => {
    expect(signatureOf(prototype)).toEqual(apple.get(name));
  });

  it.each(prototypes)('says of %s what each stand-in defines', (name, prototype) => {
    for (const { runtime, defines } of standins) {
      if (runtime === 'gnustep' && NOT_OURS.has(name)) continue;
      expect(signatureOf(prototype), runtime).toEqual(defines.get(name));
    }
  });

  it('is compared with no declaration that it does not have', () => {
    expect([...apple.keys()].toSorted()).toEqual(prototypes.map(([name]) => name).toSorted());
  });

  it.each(prototypes)('says who owns what %s gives: the caller after Create and Copy, nobody else', (name, [result, given]) => {
    const handsOver = result === 'owned' || given.includes('ownedSlot');
    expect(handsOver).toBe(/Create|Copy/.test(name));
  }); // prettier-ignore

  it.each(['accessibility', 'objectiveC'] as const)('has only symbols that the library %s exports', (library) => {
    const exported: readonly string[] = EXPORTED[library];
    expect(Object.keys(PROTOTYPES[library]).filter((name) => !exported.includes(name))).toEqual([]);
  });

  it('takes each library from the system', () => {
    for (const path of Object.values(LIBRARY_PATHS))
      expect(path).toMatch(/^\/(System\/Library\/Frameworks|usr\/lib)\//);
  });
});

describe('how messages are sent', () => {
  const results = new Set<CType>(Object.values(METHODS).map(([result]) => result));

  it.each([
    ['CGRect', 'x64', 'objc_msgSend_stret'],
    ['CGRect', 'arm64', 'objc_msgSend'],
    ['CGPoint', 'x64', 'objc_msgSend'],
    ['CGSize', 'x64', 'objc_msgSend'],
    ['double', 'x64', 'objc_msgSend'],
    ['float', 'arm64', 'objc_msgSend'],
    ['boolean', 'x64', 'objc_msgSend'],
    ['ref', 'x64', 'objc_msgSend'],
    ['void', 'arm64', 'objc_msgSend'],
  ] as const)('a result of %s on %s goes through %s', (result, arch, entry) => {
    expect(sendEntry(result, arch)).toBe(entry);
  });

  it('is known for every result of the table, and arm64 has one entry', () => {
    for (const result of results) expect(sendEntry(result, 'arm64')).toBe('objc_msgSend');
  });

  it('has as many arguments as the selector has colons', () => {
    for (const [selector, [, given]] of methods) expect(selector.split(':').length - 1, selector).toBe(given.length);
  });

  it.each(methods)('[req:MA-5] of %s goes as the compiler has Apple’s declaration', (selector, prototype) => {
    const declared = encodings(selector).split('\n').filter((encoding) => encoding !== '');
    expect(declared).not.toEqual([]);
    for (const encoding of declared) expect(encodedSignature(encoding)).toEqual(signatureOf(prototype));
  }); // prettier-ignore

  it('never takes BOOL or Boolean for the bool of C', () => {
    const booleans = Object.entries(PROTOTYPES.accessibility).filter(([name]) => /^AX(IsProcess|ValueGetValue)/.test(name));
    for (const [, [result]] of booleans) expect(result).toBe('boolean');
  }); // prettier-ignore
});
