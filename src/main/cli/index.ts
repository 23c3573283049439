#!/usr/bin/env node
/** Starts the command line from its bundle, or from its modules where one of those was compiled after the bundle was made. */
import { statSync } from 'node:fs';
import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const BUNDLE = new URL('../bundled/main.js', import.meta.url);
/** What the compiler writes last. An installed program has none of them. */
const COMPILED = ['base', 'main', 'messages', 'protocol'].map(
  (name) => new URL(`../../${name}.tsbuildinfo`, import.meta.url),
);

/** Beside the code: who could put other code there could do so without it. */
const COMPILE_CACHE = fileURLToPath(new URL('../../compile-cache', import.meta.url));

/** What V8 made of the code is read instead of made again, where Node can (22.1); where the folder cannot be written, it is not kept. */
function keepCompiledCode(): void {
  const enable: unknown = Reflect.get(nodeModule, 'enableCompileCache');
  if (typeof enable === 'function') enable(COMPILE_CACHE);
}

/** In English: an older Node may not be able to load anything else. As `engines` in package.json. */
function assertNodeVersion(): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  process.stderr.write(
    `Chaperone needs Node 20.19 or newer; this is ${process.versions.node}. Install a newer Node, then run this again.\n`,
  );
  process.exit(1);
}

const timeOf = (file: URL): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

assertNodeVersion();
keepCompiledCode();
await import(timeOf(BUNDLE) > Math.max(...COMPILED.map(timeOf)) ? BUNDLE.href : './main.js');
