/** State that must be on disk before the host ends: a failed write is tried again until it succeeds. */
export interface Lasting {
  /** Throws when it is not on disk yet. */
  write(): void;
  /** False when it is not. */
  tryWrite(): boolean;
  behind(): boolean;
  /** Does not log again: the first failure was logged. */
  catchUp(): void;
}

export function createLasting(save: () => void): Lasting {
  let behind = false;
  function write(): void {
    behind = true;
    save();
    behind = false;
  }
  function tryWrite(): boolean {
    try {
      write();
    } catch {
      return false;
    }
    return true;
  }

  return {
    write,
    tryWrite,
    behind: () => behind,
    catchUp() {
      if (behind) tryWrite();
    },
  };
}
