/** Compiles host, shim and command line (tsc of TypeScript 7), and the page (vite), each only when its sources changed since it was built. */
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { Stop, main, root, run, runBin } from './lib/run.mjs';
import { readStamp, stampOf, writeStamp } from './lib/sources.mjs';

const SHARED = ['package-lock.json', 'tsconfig.base.json', 'tsconfig.json', 'tsconfig.main.json'];
const PROGRAM = 'dist/main/cli/index.js';
const TARGETS = [
  {
    name: 'program',
    sources: [...SHARED, 'src'],
    product: PROGRAM,
    build: () => runBin('typescript-native/bin/tsc', ['-b']),
  },
  {
    name: 'bundle',
    sources: [
      'package-lock.json',
      'scripts/lib/bundle.mjs',
      ...['base', 'main', 'messages', 'protocol'].map((name) => `dist/${name}.tsbuildinfo`),
    ],
    product: 'dist/main/bundled/main.js',
    build: () => run(process.execPath, [join(root, 'scripts/lib/bundle.mjs')]),
  },
  {
    name: 'page',
    sources: [
      ...SHARED,
      'src/renderer',
      'src/base',
      'src/messages',
      'src/main/protocol',
      'vite.config.ts',
      'scripts/lib/page-head.mjs',
      'scripts/lib/page-icons.mjs',
      'scripts/messages/page.mjs',
    ],
    product: 'dist/renderer/index.html',
    build: () => runBin('vite/bin/vite.js', ['build', '--logLevel', 'warn']),
  },
  {
    name: 'pictures of the tray',
    sources: ['package-lock.json', 'scripts/icons.mjs'],
    product: 'dist/main/app/icons/idle.png',
    build: () => run(process.execPath, [join(root, 'scripts/icons.mjs')]),
  },
];

/** Builds what is stale, of all targets or of those named. Throws a Stop when a compiler says no. */
export async function build(names = []) {
  for (const target of TARGETS) {
    if (names.length > 0 && !names.includes(target.name)) continue;
    const stampFile = join(root, 'dist', `.${target.name.replaceAll(' ', '-')}.stamp`);
    const stamp = stampOf(root, target.sources);
    if (readStamp(stampFile) === stamp && existsSync(join(root, target.product))) continue;
    console.log(`building the ${target.name} …`);
    const { code } = await target.build();
    if (code !== 0) throw new Stop(`The ${target.name} does not build; the lines above say why.`);
    writeStamp(stampFile, stamp);
  }
  if (existsSync(join(root, PROGRAM))) chmodSync(join(root, PROGRAM), 0o755);
}

if (import.meta.filename === process.argv[1]) await main(build);
