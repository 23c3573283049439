/** What has to be on disk before the host ends: writing it is tried again until the disk takes it. */
export interface Lasting {
  /** Throws when it is not on disk yet. */
  write(): void;
  /** False when it is not. */
  tryWrite(): boolean;
  behind(): boolean;
  /** Quietly: why it cannot be written was told the first time. */
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
