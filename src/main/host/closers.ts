export type Closers = ReturnType<typeof createClosers>;

/** Close functions, called once in reverse order, even if others fail. */
export function createClosers() {
  const stack: (() => unknown)[] = [];
  let closing: Promise<void> | null = null;

  async function closeAll(): Promise<void> {
    for (let close = stack.pop(); close !== undefined; close = stack.pop()) {
      try {
        await close();
      } catch {
        // Continues, so that a failure does not leak the next owner.
      }
    }
  }

  return {
    add: (close: () => unknown): void => void stack.push(close),
    close: (): Promise<void> => (closing ??= closeAll()),
  };
}
