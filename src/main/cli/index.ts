#!/usr/bin/env node
/** Starts the command line from its bundle, or from its modules where one of those was compiled after the bundle was made. */
import { statSync } from 'node:fs';

const BUNDLE = new URL('../bundled/main.js', import.meta.url);
/** What the compiler writes last. An installed program has none of them. */
const COMPILED = ['base', 'main', 'messages', 'protocol'].map(
  (name) => new URL(`../../${name}.tsbuildinfo`, import.meta.url),
);

const timeOf = (file: URL): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

await import(timeOf(BUNDLE) > Math.max(...COMPILED.map(timeOf)) ? BUNDLE.href : './main.js');
