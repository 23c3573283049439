/** What has to be on disk before the host ends: writing it is tried again until the disk takes it. */
export interface Lasting {
  /** Throws when it is not on disk yet. */
  write(): void;
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
  return {
    write,
    behind: () => behind,
    catchUp() {
      if (!behind) return;
      try {
        write();
      } catch {
        behind = true;
      }
    },
  };
}
