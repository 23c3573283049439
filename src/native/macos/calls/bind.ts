/** Loads the libraries and binds every prototype of the tables. */
import koffi, { type LibraryHandle, type TypeObject } from 'koffi';
import { LIBRARY_PATHS, PROTOTYPES, type LibraryPaths } from './libraries.js';
import { METHODS, sendEntry } from './objective-c.js';
import type { CType, Call, Calls, PrototypeTable, Ref, Values } from './types.js';

type Methods = typeof METHODS;
type MessageArguments<Name extends keyof Methods> = Parameters<Call<Methods[Name]>>;

export type Bound = { readonly [Library in keyof typeof PROTOTYPES]: Calls<(typeof PROTOTYPES)[Library]> } & {
  /** Sends a message; the receiver must not be nil. */
  send<Name extends keyof Methods>(
    receiver: Ref,
    selector: Name,
    ...given: MessageArguments<Name>
  ): Values[Methods[Name][0]];
  /** The process that the system holds responsible for it; 0 where it does not tell. In no header. */
  responsible(pid: number): number;
  /** The object that a data symbol points to. */
  object(library: keyof LibraryPaths, symbol: string): Ref;
  /** The address of a data symbol itself. */
  address(library: keyof LibraryPaths, symbol: string): bigint;
};

interface Loaded {
  libraries: Readonly<Record<keyof LibraryPaths, LibraryHandle>>;
  types: Readonly<Record<CType, string | TypeObject>>;
}

/** Throws where a library or symbol is missing. `paths` are those of stand-ins in tests. */
export function bindLibraries(paths: LibraryPaths = LIBRARY_PATHS, arch: string = process.arch): Bound {
  const loaded: Loaded = { libraries: loadAll(paths), types: koffiTypes() };
  const table = <T extends PrototypeTable>(library: keyof LibraryPaths, prototypes: T) =>
    bindTable(loaded, library, prototypes);
  const objectiveC = table('objectiveC', PROTOTYPES.objectiveC);
  return {
    coreFoundation: table('coreFoundation', PROTOTYPES.coreFoundation),
    coreGraphics: table('coreGraphics', PROTOTYPES.coreGraphics),
    colorSync: table('colorSync', PROTOTYPES.colorSync),
    accessibility: table('accessibility', PROTOTYPES.accessibility),
    processes: table('processes', PROTOTYPES.processes),
    textInput: table('textInput', PROTOTYPES.textInput),
    coreServices: table('coreServices', PROTOTYPES.coreServices),
    objectiveC,
    responsible: bindResponsible(loaded.libraries.processes),
    send: bindMessages(loaded, objectiveC.sel_registerName, arch),
    object: (library, symbol) => koffi.decode(loaded.libraries[library].symbol(symbol), 'void *'),
    address: (library, symbol) => koffi.address(loaded.libraries[library].symbol(symbol)),
  };
}

function bindResponsible(library: LibraryHandle): Bound['responsible'] {
  try {
    return library.func('int responsibility_get_pid_responsible_for_pid(int pid)');
  } catch {
    return () => 0;
  }
}

function loadAll(paths: LibraryPaths): Loaded['libraries'] {
  const load = (name: keyof LibraryPaths): LibraryHandle => koffi.load(paths[name]);
  return {
    coreFoundation: load('coreFoundation'),
    coreGraphics: load('coreGraphics'),
    colorSync: load('colorSync'),
    accessibility: load('accessibility'),
    objectiveC: load('objectiveC'),
    appKit: load('appKit'),
    screenCaptureKit: load('screenCaptureKit'),
    processes: load('processes'),
    textInput: load('textInput'),
    coreServices: load('coreServices'),
  };
}

function koffiTypes(): Loaded['types'] {
  const point = koffi.struct({ x: 'double', y: 'double' });
  const size = koffi.struct({ width: 'double', height: 'double' });
  return {
    void: 'void',
    bool: 'bool',
    boolean: 'uint8_t',
    uint8: 'uint8_t',
    uint16: 'uint16_t',
    int16: 'int16_t',
    int32: 'int32_t',
    uint32: 'uint32_t',
    int64: 'int64_t',
    uint64: 'uint64_t',
    float: 'float',
    double: 'double',
    CGPoint: point,
    CGSize: size,
    CGRect: koffi.struct({ origin: point, size }),
    text: 'str',
    ref: 'void *',
    owned: 'void *',
    ownedSlot: 'void *',
    memory: 'void *',
    address: 'void *',
  };
}

function bindTable<T extends PrototypeTable>(
  { libraries, types }: Loaded,
  library: keyof LibraryPaths,
  table: T,
): Calls<T> {
  const bound = Object.fromEntries(
    Object.entries(table).map(([name, [result, given]]) => [
      name,
      libraries[library].func(
        name,
        types[result],
        given.map((each) => types[each]),
      ),
    ]),
  );
  if (!hasAll(bound, table)) throw new Error(`${library} is not bound completely`);
  return bound;
}

function hasAll<T extends PrototypeTable>(bound: object, table: T): bound is Calls<T> {
  return Object.keys(table).every((name) => name in bound);
}

/** One function for each signature, and one selector for each name. */
function bindMessages(
  { libraries, types }: Loaded,
  selectorOf: (name: string) => Ref | null,
  arch: string,
): Bound['send'] {
  const table: PrototypeTable = METHODS;
  const senders = new Map<string, { call: (...given: unknown[]) => ReturnType<Bound['send']>; selector: Ref | null }>();
  return (receiver, name, ...given) => {
    const known = senders.get(name);
    if (known !== undefined) return known.call(receiver, known.selector, ...given);
    const [result, parameters] = table[name] ?? METHODS[name];
    const signature = ['ref', 'ref', ...parameters] as const;
    const call = libraries.objectiveC.func(
      sendEntry(result, arch),
      types[result],
      signature.map((each) => types[each]),
    );
    const sender = { call, selector: selectorOf(name) };
    senders.set(name, sender);
    return sender.call(receiver, sender.selector, ...given);
  };
}
