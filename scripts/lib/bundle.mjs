/** Puts the compiled command line, shim and host into few files, because a start reads hundreds otherwise. The folder is as deep as dist/main/cli, so that paths made from import.meta.url hold in both. */
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { root } from './run.mjs';

/** Loaded from node_modules: native code and data, which an installed program has as `dependencies`; and what Electron itself is. */
const EXTERNAL = ['sharp', 'tesseract.js-core', '@tesseract.js-data/eng', 'electron'];

/** Never used here, yet each start would read them: parts that these packages load when they are asked for. */
const UNUSED = [
  /node_modules\/x11\/lib\/(?:xserver\/|keysyms\.js|fdpass-bun\.js)/,
  /node_modules\/x11\/lib\/ext\/(?:apple-wm|dbe|dpms|dri3|glx\w*|present|record|render|screen-saver|xinerama|xv)\.js/,
  /node_modules\/dbus-native\/lib\/(?:introspect|proxy)\.js/,
  /node_modules\/node-fetch\//,
];

const withoutUnused = {
  name: 'without-unused',
  load: (id) =>
    UNUSED.some((unused) => unused.test(id))
      ? `module.exports = {}; throw new Error(${JSON.stringify(`not in the bundle: ${id.slice(root.length)}`)});`
      : null,
};

/** Where shim and host, and the parts that a host reads one after another, begin. */
const ENTRIES = {
  main: 'main/cli/main',
  shim: 'main/cli/mcp',
  host: 'main/cli/host',
  session: 'native/linux/session',
  services: 'native/linux/session/services',
  pipeline: 'main/pipeline/run',
  tools: 'main/tools/index',
  run: 'main/host/run',
};

/**
 * What is loaded at a start is few files: of every command, of shim and host (and what else connects them), and of one of these. The host's
 * are several: it reads most of its code while it opens the desktop, in parts, so that it hears in between of what has started. What
 * starts a private session is read before that.
 */
function startFiles() {
  const file = (name) => join(root, `dist/${name}.js`);
  let loaded = null;
  const group = (name, isIn) => ({
    debugName: name,
    name: (id, modules) => {
      loaded ??= Object.entries(ENTRIES).map(([key, entry]) => [key, loadedWith(file(entry), modules)]);
      // It waits for the files of commands, so these cannot wait for it.
      if (id === file(ENTRIES.main)) return null;
      return isIn(Object.fromEntries(loaded.map(([key, found]) => [key, found.has(id)]))) ? name : null;
    },
  });
  // In this order, because each takes all that its modules import.
  return [
    group('start', ({ main }) => main),
    group('common', ({ shim, host, run }) => shim && (host || run)),
    group('shim', ({ shim }) => shim),
    group('host', ({ host, services, run }) => host || (services && run)),
    group('session', ({ session }) => session),
    group('services', ({ services }) => services),
    group('pipeline', ({ pipeline }) => pipeline),
    group('tools', ({ tools }) => tools),
    group('running-host', ({ run }) => run),
  ];
}

/** A module and all that it imports before it runs. */
function loadedWith(entry, modules) {
  const found = new Set([entry]);
  for (const id of found) for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

const folder = join(root, 'dist/main/bundled');
const fresh = `${folder}.new`;

const shared = {
  configFile: false,
  root,
  logLevel: 'warn',
  publicDir: false,
  plugins: [withoutUnused],
  resolve: {
    alias: { '@modelcontextprotocol/server/_shims': join(root, 'dist/main/mcp/no-validator.js') },
  },
  // In modules that were CommonJS.
  define: { __filename: 'import.meta.filename', __dirname: 'import.meta.dirname' },
  ssr: { noExternal: true, target: 'node', external: EXTERNAL },
};
const output = {
  ssr: true,
  outDir: fresh,
  // A stack then names functions, and a comment above the code its file.
  minify: false,
  chunkSizeWarningLimit: 2_000,
  target: 'node20',
};

await build({
  ...shared,
  build: {
    ...output,
    emptyOutDir: true,
    license: { fileName: 'licenses.txt' },
    rolldownOptions: {
      input: {
        main: join(root, 'dist/main/cli/main.js'),
        // Started by their paths, beside the code that starts them.
        'supervisor-main': join(root, 'dist/native/process/supervisor-main.js'),
        'helper-main': join(root, 'dist/native/macos/helper/helper-main.js'),
        // Electron starts it.
        packaged: join(root, 'dist/main/app/packaged.js'),
      },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        codeSplitting: { groups: startFiles() },
      },
    },
  },
});
// A thread's script in one file: beside the app's archive lie this one and what it loads from node_modules.
await build({
  ...shared,
  build: {
    ...output,
    emptyOutDir: false,
    license: { fileName: 'licenses-recognition.txt' },
    rolldownOptions: {
      input: { 'recognition-main': join(root, 'node_modules/tesseract.js/src/worker-script/node/index.js') },
      output: { entryFileNames: '[name].mjs', codeSplitting: false },
    },
  },
});

// A program that starts meanwhile finds a whole bundle or none.
rmSync(folder, { recursive: true, force: true });
// Of code that is no more (src/main/cli/index.ts).
rmSync(join(root, 'dist/compile-cache'), { recursive: true, force: true });
renameSync(fresh, folder);
