/** What is stored in this browser. Storage may be full or forbidden; then a value lasts as long as the page. */
export interface StoredChoice<T extends string> {
  /** null when nothing was chosen. */
  read(): T | null;
  write(value: T | null): void;
}

export function storedChoice<T extends string>(name: string, values: readonly T[]): StoredChoice<T> {
  return {
    read() {
      const found = readStored(name);
      return values.find((value) => value === found) ?? null;
    },
    write: (value) => writeStored(name, value),
  };
}

const PREFIX = 'chaperone.';

export function readStored(name: string): string | null {
  return tryStorage(() => localStorage.getItem(PREFIX + name));
}

/** null removes it. */
export function writeStored(name: string, value: string | null): void {
  tryStorage(() =>
    value === null ? localStorage.removeItem(PREFIX + name) : localStorage.setItem(PREFIX + name, value),
  );
}

/** Names that start with `prefix`. */
export function storedNames(prefix: string): string[] {
  const keys = tryStorage(() => Object.keys(localStorage)) ?? [];
  return keys.filter((key) => key.startsWith(PREFIX + prefix)).map((key) => key.slice(PREFIX.length));
}

function tryStorage<T>(use: () => T): T | null {
  try {
    return use();
  } catch {
    return null;
  }
}
