/** The layers as data. A file belongs to the layer with the longest folder that holds it; imports go to layers further down. */
export interface Layer {
  /** Below src/. */
  folder: string;
  /** The file that opens with what comes in, what goes out and who calls. */
  main: string;
  /** Where it says more than `everything further down`: these layers of ours and no other. */
  only?: readonly string[];
  /** False for layers that may use neither Node's modules nor a DOM library. */
  node?: false;
}

/** Topmost first. */
export const LAYERS: readonly Layer[] = [
  { folder: 'renderer', main: 'main.tsx', only: ['main/protocol', 'messages', 'base'], node: false },
  { folder: 'main/app', main: 'main.ts' },
  { folder: 'main/cli', main: 'index.ts' },
  { folder: 'main/remote', main: 'index.ts' },
  { folder: 'main/shim', main: 'index.ts' },
  { folder: 'main/host', main: 'index.ts' },
  { folder: 'main/setup', main: 'index.ts' },
  { folder: 'main/serve', main: 'sockets.ts' },
  { folder: 'main/mcp', main: 'server.ts' },
  { folder: 'main/gabp', main: 'index.ts' },
  { folder: 'main/calls', main: 'index.ts' },
  { folder: 'main/agents', main: 'index.ts' },
  { folder: 'main/tools', main: 'index.ts' },
  { folder: 'main/bridge', main: 'index.ts' },
  { folder: 'main/sessions', main: 'index.ts' },
  { folder: 'main/desktop', main: 'click.ts' },
  { folder: 'main/pipeline', main: 'run.ts' },
  { folder: 'main/evidence', main: 'index.ts' },
  { folder: 'main/chat', main: 'index.ts' },
  { folder: 'main/approvals', main: 'index.ts' },
  { folder: 'main/transport', main: 'frames.ts' },
  { folder: 'main/protocol', main: 'index.ts', only: ['messages', 'base'], node: false },
  { folder: 'native', main: 'open.ts' },
  { folder: 'native/self-test', main: 'index.ts', only: ['native/desktop.ts', 'messages', 'base'] },
  { folder: 'native/simulated', main: 'index.ts', only: ['native/desktop.ts', 'messages', 'base'] },
  { folder: 'native/linux', main: 'index.ts', only: ['native/desktop.ts', 'messages', 'base'] },
  { folder: 'native/macos', main: 'index.ts', only: ['native/desktop.ts', 'native/methods.ts', 'messages', 'base'] },
  { folder: 'native/peer', main: 'index.ts', only: ['base'] },
  { folder: 'native/ocr', main: 'index.ts', only: ['native/desktop.ts', 'messages', 'base'] },
  { folder: 'native/xpc', main: 'index.ts', only: [] },
  { folder: 'native/process', main: 'index.ts', only: ['native/peer', 'base'] },
  { folder: 'messages', main: 'index.ts', only: ['base'], node: false },
  { folder: 'base', main: 'emitter.ts', only: [], node: false },
];

/** Folders of the Linux backend that each fill `display-server.ts`; they know nothing of each other. */
export const DISPLAY_SERVERS: readonly string[] = ['x11', 'wayland'].map((name) => `src/native/linux/${name}/`);
/** What opens a display server, or starts one. All else of the Linux backend works with any, and imports none of them. */
export const OPENS_DISPLAYS: readonly string[] = ['index.ts', 'session.ts', 'session/'].map(
  (part) => `src/native/linux/${part}`,
);

/** Packages that only one part of the source may import. */
export const PACKAGE_HOMES: Readonly<Record<string, string>> = {
  koffi: 'native',
  libsql: 'main/evidence',
  x11: 'native/linux',
  'dbus-native': 'native/linux',
  electron: 'main/app',
  menubar: 'main/app',
  'electron-updater': 'main/app',
  'intl-messageformat': 'messages',
  react: 'renderer',
  'react-dom': 'renderer',
  lucide: 'renderer',
};

export const LONGEST_FILE = 450;
/** Of `src`. They go down, towards 75,000 lines in 600 files; whoever needs more raises them in a commit that says why. */
export const BUDGET = { lines: 115_872, files: 732 };

/**
 * Shorter files belong into the one file of their folder that imports them, but for these six: they
 * are loaded first or late, or are kept apart from the start of a program, which runs where it is imported.
 */
export const SMALL = { lines: 40, files: 6 };

/** Lines of the file in the middle, by length: a reader of one subject opens few files. */
export const MEDIAN = 110;

/** Written by a script, as long as what they are made from. */
export const GENERATED: ReadonlySet<string> = new Set(['src/messages/parameters.ts']);

export const LONGEST_FUNCTION = 40;
export const LONGEST_COMPOSITION = 60;

/** Folders and files whose functions put objects together and do nothing else. */
export const COMPOSITION: readonly string[] = ['src/main/host/', 'src/native/linux/index.ts'];
