import { randomUUID } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, readSync, unlinkSync } from 'node:fs';
import type { XShm } from 'x11';
import type { XConnection } from './connection.js';

/** Memory that the server writes pictures to. */
export interface SharedMemory {
  readonly id: number;
  readonly bytes: number;
  /** Fills `into` with what is there from `at` on. */
  read(into: Uint8Array, at: number): void;
  close(): void;
}

/** null where the server does not take it. No other process can open it. */
export async function shareMemory(x: XConnection, shm: XShm, bytes: number): Promise<SharedMemory | null> {
  let file: number | null = openUnnamed(bytes);
  const id = x.client.AllocID();
  const close = (): void => {
    if (file === null) return;
    closeSync(file);
    file = null;
    x.client.ReleaseID(id);
  };
  try {
    const attached = file;
    await x.send((done) => shm.AttachFd(id, attached, false, done));
  } catch {
    close();
    return null;
  }
  return {
    id,
    bytes,
    read(into, at) {
      if (file === null) throw new Error('the shared memory is closed');
      if (readSync(file, into, 0, into.length, at) < into.length) throw new Error('the shared memory is too small');
    },
    close() {
      shm.Detach(id);
      close();
    },
  };
}

function openUnnamed(bytes: number): number {
  const path = `/dev/shm/chaperone-${randomUUID()}`;
  const file = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  ftruncateSync(file, bytes);
  return file;
}
