/**
 * Code signatures of running processes on macOS, through the Security framework. Signatures and numbers: SecCode.h, SecRequirement.h,
 * CFNumber.h. References are released at the end of each question.
 */
import koffi from 'koffi';

export interface CodeSignatures {
  /** What code must satisfy to count as the program that this process runs; null where it is not signed, or not as it was. */
  requirementOf(pid: number): string | null;
  /** False also for what cannot be told. */
  satisfies(pid: number, requirement: string): boolean;
}

const FRAMEWORKS = '/System/Library/Frameworks';
const SIGNATURE_LIBRARIES = {
  coreFoundation: `${FRAMEWORKS}/CoreFoundation.framework/CoreFoundation`,
  security: `${FRAMEWORKS}/Security.framework/Security`,
} as const;

type Ref = bigint;
type Own = (ref: unknown) => Ref | null;

const DEFAULT_FLAGS = 0;
const SIGNING_INFORMATION = 2;
const NUMBER_INT64 = 4;
/** Others are quoted in the language of requirements; a program with such a name is told by its code. */
const PLAIN = /^[\w.-]+$/;

interface Signed {
  identifier: string | null;
  team: string | null;
  /** Hash of the code itself, in hex. */
  codeHash: string | null;
}

/** Throws where a library or function is missing. `libraries` are those of stand-ins in tests. */
export function loadCodeSignatures(
  libraries: Readonly<Record<keyof typeof SIGNATURE_LIBRARIES, string>> = SIGNATURE_LIBRARIES,
): CodeSignatures {
  const calls = bind(libraries);

  /** Gives to `ask` the code of a running process. */
  function withCode<T>(pid: number, none: T, ask: (code: Ref, own: Own) => T): T {
    return scoped(calls.release, (own) => {
      const number = own(calls.makeNumber(null, NUMBER_INT64, new BigInt64Array([BigInt(pid)])));
      if (number === null) return none;
      const [keys, values] = [new BigUint64Array([calls.pidKey]), new BigUint64Array([number])];
      const wanted = own(calls.makeDictionary(null, keys, values, 1, calls.keyCallbacks, calls.valueCallbacks));
      const slot = new BigUint64Array(1);
      if (wanted === null || Number(calls.guest(null, wanted, DEFAULT_FLAGS, slot)) !== 0) return none;
      const code = own(slot[0]);
      return code === null ? none : ask(code, own);
    });
  }

  const satisfies: CodeSignatures['satisfies'] = (pid, requirement) =>
    withCode(pid, false, (code, own) => {
      const text = own(calls.makeText(null, Buffer.from(requirement, 'utf16le'), requirement.length));
      const slot = new BigUint64Array(1);
      if (text === null || Number(calls.requirement(text, DEFAULT_FLAGS, slot)) !== 0) return false;
      const made = own(slot[0]);
      return made !== null && Number(calls.checkValidity(code, DEFAULT_FLAGS, made)) === 0;
    });

  const signed = (pid: number): Signed | null =>
    withCode<Signed | null>(pid, null, (code, own) => {
      const slot = new BigUint64Array(1);
      if (Number(calls.information(code, SIGNING_INFORMATION, slot)) !== 0) return null;
      const facts = own(slot[0]);
      return facts === null ? null : calls.readFacts(facts);
    });

  return {
    satisfies,
    requirementOf(pid) {
      const found = signed(pid);
      const wanted = found === null ? [] : requirementsOf(found);
      return wanted.find((requirement) => satisfies(pid, requirement)) ?? null;
    },
  };
}

/** The widest first that another developer's program cannot satisfy. */
function requirementsOf({ identifier, team, codeHash }: Signed): string[] {
  const named = identifier !== null && PLAIN.test(identifier) ? `identifier "${identifier}"` : null;
  const byTeam = named !== null && team !== null && PLAIN.test(team);
  return [
    ...(byTeam ? [`anchor apple generic and ${named} and certificate leaf[subject.OU] = "${team}"`] : []),
    ...(named === null ? [] : [`anchor apple and ${named}`]),
    ...(codeHash === null ? [] : [`cdhash H"${codeHash}"`]),
  ];
}

function scoped<T>(release: (ref: Ref) => unknown, work: (own: Own) => T): T {
  const owned: Ref[] = [];
  try {
    return work((ref) => {
      if (typeof ref !== 'bigint' || ref === 0n) return null;
      owned.push(ref);
      return ref;
    });
  } finally {
    for (const ref of owned.reverse()) release(ref);
  }
}

function bind({ coreFoundation, security }: Readonly<Record<keyof typeof SIGNATURE_LIBRARIES, string>>) {
  const [cf, sec] = [koffi.load(coreFoundation), koffi.load(security)];
  const object = (name: string): Ref => koffi.decode(sec.symbol(name), 'void *');
  const length = cf.func('int64_t CFStringGetLength(void *text)');
  const characters = cf.func('void CFStringGetCharacters(void *text, int64_t from, int64_t count, void *units)');
  const dataLength = cf.func('int64_t CFDataGetLength(void *data)');
  const dataBytes = cf.func('void CFDataGetBytes(void *data, int64_t from, int64_t count, void *bytes)');
  const value = cf.func('void *CFDictionaryGetValue(void *dictionary, void *key)');
  const [identifierKey, teamKey, uniqueKey] = ['Identifier', 'TeamIdentifier', 'Unique'].map((name) =>
    object(`kSecCodeInfo${name}`),
  );

  function textOf(ref: unknown): string | null {
    if (typeof ref !== 'bigint') return null;
    const units = Buffer.alloc(2 * Number(length(ref)));
    characters(ref, 0, units.length / 2, units);
    return units.toString('utf16le');
  }
  function hexOf(ref: unknown): string | null {
    if (typeof ref !== 'bigint') return null;
    const bytes = Buffer.alloc(Number(dataLength(ref)));
    dataBytes(ref, 0, bytes.length, bytes);
    return bytes.toString('hex');
  }

  return {
    release: cf.func('void CFRelease(void *ref)'),
    makeText: cf.func('void *CFStringCreateWithCharacters(void *allocator, void *units, int64_t count)'),
    makeNumber: cf.func('void *CFNumberCreate(void *allocator, int64_t type, void *value)'),
    makeDictionary: cf.func(
      'void *CFDictionaryCreate(void *allocator, void *keys, void *values, int64_t count, void *keyCallbacks, void *valueCallbacks)',
    ),
    keyCallbacks: koffi.address(cf.symbol('kCFTypeDictionaryKeyCallBacks')),
    valueCallbacks: koffi.address(cf.symbol('kCFTypeDictionaryValueCallBacks')),
    pidKey: object('kSecGuestAttributePid'),
    guest: sec.func('int32_t SecCodeCopyGuestWithAttributes(void *host, void *attributes, uint32_t flags, void *code)'),
    information: sec.func('int32_t SecCodeCopySigningInformation(void *code, uint32_t flags, void *information)'),
    requirement: sec.func('int32_t SecRequirementCreateWithString(void *text, uint32_t flags, void *requirement)'),
    checkValidity: sec.func('int32_t SecCodeCheckValidity(void *code, uint32_t flags, void *requirement)'),
    readFacts: (facts: Ref): Signed => ({
      identifier: textOf(value(facts, identifierKey)),
      team: textOf(value(facts, teamKey)),
      codeHash: hexOf(value(facts, uniqueKey)),
    }),
  };
}
