/** Puts the compiled command line, shim and host into few files, because a start reads hundreds otherwise. The folder is as deep as dist/main/cli, so that paths made from import.meta.url hold in both. */
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { root } from './run.mjs';

/** Loaded from node_modules: native code, and threads with scripts of their own. */
const EXTERNAL = ['koffi', 'sharp', 'tesseract.js', 'tesseract.js-core', '@tesseract.js-data/eng'];

const folder = join(root, 'dist/main/bundled');
const fresh = `${folder}.new`;

await build({
  configFile: false,
  root,
  logLevel: 'warn',
  publicDir: false,
  // In modules that were CommonJS.
  define: { __filename: 'import.meta.filename', __dirname: 'import.meta.dirname' },
  build: {
    ssr: true,
    outDir: fresh,
    emptyOutDir: true,
    // A stack then names functions, and a comment above the code its file.
    minify: false,
    chunkSizeWarningLimit: 2_000,
    target: 'node20',
    license: { fileName: 'licenses.txt' },
    rolldownOptions: {
      input: {
        main: join(root, 'dist/main/cli/main.js'),
        // Started by their paths, beside the code that starts them.
        'supervisor-main': join(root, 'dist/native/process/supervisor-main.js'),
        'helper-main': join(root, 'dist/native/macos/helper/helper-main.js'),
      },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        // Small helpers that nearly everything uses: one file instead of a dozen.
        codeSplitting: { groups: [{ name: 'base', test: /\/dist\/base\// }] },
      },
    },
  },
  ssr: { noExternal: true, target: 'node', external: EXTERNAL },
});

// A program that starts meanwhile finds a whole bundle or none.
rmSync(folder, { recursive: true, force: true });
// Of code that is no more (src/main/cli/index.ts).
rmSync(join(root, 'dist/compile-cache'), { recursive: true, force: true });
renameSync(fresh, folder);
