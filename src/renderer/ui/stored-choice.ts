/** A choice stored in this browser. Storage may be forbidden; then the choice lasts as long as the page. */
export interface StoredChoice<T extends string> {
  /** null when nothing was chosen. */
  read(): T | null;
  write(value: T | null): void;
}

export function storedChoice<T extends string>(name: string, values: readonly T[]): StoredChoice<T> {
  const key = `chaperone.${name}`;
  return {
    read() {
      const found = tryStorage(() => localStorage.getItem(key));
      return values.find((value) => value === found) ?? null;
    },
    write: (value) =>
      void tryStorage(() => (value === null ? localStorage.removeItem(key) : localStorage.setItem(key, value))),
  };
}

function tryStorage<T>(use: () => T): T | null {
  try {
    return use();
  } catch {
    return null;
  }
}
