export type Closers = ReturnType<typeof createClosers>;

/** Owners in the order they opened; closed once, in reverse, each whatever the others do. */
export function createClosers() {
  const stack: (() => unknown)[] = [];
  let closing: Promise<void> | null = null;

  async function closeAll(): Promise<void> {
    for (let close = stack.pop(); close !== undefined; close = stack.pop()) {
      try {
        await close();
      } catch {
        // Closing goes on: the next owner must not leak because this one failed.
      }
    }
  }

  return {
    add: (close: () => unknown): void => void stack.push(close),
    close: (): Promise<void> => (closing ??= closeAll()),
  };
}
