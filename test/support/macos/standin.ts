/** The stand-in libraries: compiled once for each state of their sources, loaded through the paths of the product's own binding. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import koffi from 'koffi';
import type { LibraryPaths } from '../../../src/native/macos/calls/libraries.js';
import type { Ref } from '../../../src/native/macos/calls/types.js';

const FOLDER = import.meta.dirname;
const CACHE = join(FOLDER, '../../../node_modules/.cache/chaperone');
const FLAGS = ['-std=gnu11', '-fPIC', '-O1', '-Wall', '-Wextra', '-Werror', '-Wno-unused-parameter', '-Wno-missing-field-initializers']; // prettier-ignore
const FOUNDATION = '/usr/include/GNUstep/Foundation/Foundation.h';
/** What gobjc and GNUstep's headers want; `gnustep-config` says the same. */
const OBJECTIVE_C = ['-fexceptions', '-fobjc-exceptions', '-fconstant-string-class=NSConstantString', '-isystem', '/usr/include/GNUstep', '-DGNUSTEP', '-DGNUSTEP_BASE_LIBRARY=1', '-DGNU_RUNTIME=1', '-D_NATIVE_OBJC_EXCEPTIONS']; // prettier-ignore

/**
 * Whose Objective-C it is. `own`: written for these tests, quick and strict. `gnustep`: a real runtime and a real Foundation, in which
 * strings, lists, numbers, data, errors and pools are what they are on a Mac.
 */
export const RUNTIMES = ['own', 'gnustep'] as const;
export type Runtime = (typeof RUNTIMES)[number];
const ONLY_OWN: readonly string[] = ['objects.c', 'runtime.c'];

const sourcesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => /\.[chm]$/.test(name))
    .toSorted()
    .map((name) => join(folder, name));

export function standinSources(runtime: Runtime = 'own'): string[] {
  const common = sourcesIn(FOLDER);
  if (runtime === 'own') return common;
  return [...sourcesIn(join(FOLDER, 'gnustep')), ...common.filter((path) => !ONLY_OWN.includes(basename(path)))];
}

/** The path of the compiled library. */
export function compileStandin(runtime: Runtime = 'own'): string {
  const sources = standinSources(runtime);
  const hash = createHash('sha256').update([...FLAGS, ...OBJECTIVE_C].join(' '));
  for (const source of sources) hash.update(readFileSync(source));
  const library = join(CACHE, `macos-standin-${runtime}-${hash.digest('hex').slice(0, 16)}.so`);
  if (existsSync(library)) return library;
  mkdirSync(CACHE, { recursive: true });
  const fresh = `${library}.${process.pid}`;
  if (runtime === 'gnustep' && !existsSync(FOUNDATION)) throw new Error(`There is no ${FOUNDATION}: \`npm run setup -- --test\` installs gobjc and libgnustep-base-dev.`); // prettier-ignore
  const gcc = (...given: string[]) => execFileSync('gcc', [...FLAGS, ...given]);
  const objects = sources.filter((source) => source.endsWith('.m')).map((source) => {
    const object = `${fresh}.${basename(source)}.o`;
    gcc(...OBJECTIVE_C, '-c', '-o', object, source);
    return object;
  }); // prettier-ignore
  const code = sources.filter((source) => source.endsWith('.c'));
  // What is linked first starts first: the real values, of which the others make theirs.
  gcc(
    '-shared',
    '-o',
    fresh,
    ...objects,
    ...code,
    ...(runtime === 'own' ? [] : ['-lgnustep-base', '-lobjc', '-pthread']),
  );
  for (const object of objects) rmSync(object);
  renameSync(fresh, library);
  return library;
}

export const standinPaths = (library: string): LibraryPaths => ({
  coreFoundation: library,
  coreGraphics: library,
  colorSync: library,
  accessibility: library,
  objectiveC: library,
  appKit: library,
  screenCaptureKit: library,
  processes: library,
  textInput: library,
  coreServices: library,
});

/** How an attribute or an action takes what it is asked. */
export const MODE = { refuses: 0, does: 1, pretends: 2, doesAndTimesOut: 3, limits: 4, asks: 5 } as const;
export type Mode = (typeof MODE)[keyof typeof MODE];

const SCRIPT = {
  reset: 'void standin_reset()',
  liveObjects: 'long standin_live_objects()',
  pools: 'long standin_pools()',
  desktopObjects: 'long standin_desktop_objects()',
  workspaceReads: 'long standin_workspace_reads()',
  axCalls: 'long standin_ax_calls()',
  hungCalls: 'long standin_hung_calls()',
  trust: 'void standin_trust(int)',
  staleTrust: 'void standin_stale_trust(int)',
  record: 'void standin_record(int, int)',
  automation: 'void standin_automation(str, int)',
  latency: 'void standin_latency(int)',
  addApp: 'int standin_add_app(int, str, str, long)',
  endApp: 'void standin_end_app(int)',
  setFront: 'void standin_set_front(int)',
  hang: 'void standin_hang(int, int)',
  windowless: 'void standin_windowless(int, int)',
  refuses: 'void standin_refuses(int, int)',
  responsible: 'void standin_responsible(int, int)',
  program: 'void standin_program(int, str)',
  silentFocus: 'void standin_silent_focus(int)',
  focus: 'void standin_focus(int, int, int)',
  addElement: 'int standin_add_element(int)',
  removeElement: 'void standin_remove_element(int)',
  adopt: 'void standin_adopt(int, int)',
  frame: 'void standin_frame(int, double, double, double, double)',
  text: 'void standin_text(int, str, str, int)',
  number: 'void standin_number(int, str, double, int)',
  boolean: 'void standin_boolean(int, str, int, int)',
  reference: 'void standin_reference(int, str, int)',
  childList: 'void standin_child_list(int, str, int, int)',
  searches: 'void standin_searches(int, int)',
  emptyList: 'void standin_empty_list(int, str, int)',
  action: 'void standin_action(int, str, int)',
  addWindow: 'void standin_add_window(uint32_t, int, int, int, double, double, double, double)',
  addSurface: 'void standin_add_surface(uint32_t, int, int)',
  showWindow: 'void standin_show_window(uint32_t, int)',
  windowAlpha: 'void standin_window_alpha(uint32_t, double)',
  passesSystemHits: 'void standin_passes_system_hits(uint32_t)',
  passesHits: 'void standin_passes_hits(uint32_t)',
  frameMode: 'void standin_frame_mode(int, int)',
  quitMode: 'void standin_quit_mode(int, int)',
  popup: 'void standin_popup(int, int)',
  closeButton: 'void standin_close_button(int, int, int)',
  addDisplay: 'void standin_add_display(uint32_t, str, double, double, double, double, double, uint32_t)',
  mayPost: 'void standin_may_post(int)',
  secureInput: 'void standin_secure_input(int)',
  composing: 'void standin_composing(int)',
  otherLayout: 'void standin_other_layout(int)',
  inputMode: 'void standin_input_mode(int)',
  personHolds: 'void standin_person_holds(uint32_t)',
  heldKeys: 'int standin_held_keys()',
  typed: 'str standin_typed()',
  copy: 'void standin_copy(int, str, str)',
  also: 'void standin_also(int, str, str)',
  clipboardAccess: 'void standin_clipboard_access(long, int)',
  clipboardPromised: 'void standin_clipboard_promised(int)',
  clipboardTaken: 'void standin_clipboard_taken(int)',
  focused: 'int standin_focused(int)',
  front: 'int standin_front()',
  runs: 'int standin_runs(int)',
  under: 'int standin_under(double, double)',
  place: 'str standin_place(int)',
  windowPlace: 'str standin_window_place(uint32_t)',
  pointer: 'str standin_pointer()',
  raise: 'void standin_raise(uint32_t)',
  said: 'str standin_said(int, str)',
  pasted: 'str standin_pasted()',
  install: 'void standin_install(str, str, str, int)',
  pictureMode: 'void standin_picture_mode(int, int, long)',
  movesBeforePicture: 'void standin_moves_before_picture(uint32_t)',
  inFlight: 'int standin_in_flight()',
  kitMissing: 'void standin_kit_missing(int)',
  disableTaps: 'void standin_disable_taps()',
  taps: 'void standin_taps(int)',
  drain: 'void standin_drain()',
  otherProgramMoves: 'void standin_other_program_moves(double, double)',
  personTypes: 'void standin_person_types(uint32_t)',
  personPresses: 'void standin_person_presses(double, double)',
  otherProgramPresses: 'void standin_other_program_presses(double, double)',
  personMoves: 'void standin_person_moves(double, double)',
  signed: 'void standin_signed(int, int, str, str, str)',
  changedCode: 'void standin_changed_code(int)',
  journalCount: 'int standin_journal_count()',
  journalAt: 'str standin_journal_at(int)',
  wrapped: 'void *standin_wrapped(uint32_t, str)',
  errorValue: 'void *standin_error_value(int)',
  rectValue: 'void *standin_rect_value(double, double, double, double)',
  double: 'void *standin_double(double)',
} as const;

type Answer<C extends string> = C extends `void *${string}` ? Ref : C extends `str ${string}` ? string : number;
export type Script = {
  readonly [Name in keyof typeof SCRIPT]: (...given: (string | number)[]) => Answer<(typeof SCRIPT)[Name]>;
};

/** What an application is told of: what, on which element (or which key or button), with which text, and where. */
export type Listener = (what: string, element: number, text: string, x: number, y: number) => void;

const LISTENER = koffi.pointer(
  koffi.proto('void StandinListener(str what, int element, str text, double x, double y)'),
);

export function openScript(
  library: string,
): Script & { journal(): string[]; leaked(): number; listen(listener: Listener): () => void } {
  const handle = koffi.load(library);
  const listen = handle.func('standin_listen', 'void', ['void *']);
  const bound = Object.fromEntries(Object.entries(SCRIPT).map(([name, prototype]) => [name, handle.func(prototype)]));
  const script = bound as unknown as Script;
  return {
    ...script,
    listen(listener) {
      const registered = koffi.register(listener, LISTENER);
      listen(registered);
      return () => {
        listen(null);
        koffi.unregister(registered);
      };
    },
    leaked: () => script.liveObjects() - script.desktopObjects(),
    journal: () => Array.from({ length: script.journalCount() }, (_, index) => script.journalAt(index)),
  };
}
