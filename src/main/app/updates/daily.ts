import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import { errno } from '../../../base/errno.js';

const DAY_MS = 24 * 60 * 60_000;
const schema = z.object({ daily: z.boolean(), checkedAt: z.number().catch(0) });
type Kept = z.infer<typeof schema>;

interface DailyOptions {
  file: string;
  everyMs?: number | undefined;
  check(): void;
  log: Logger;
}

interface DailyCheck {
  on(): boolean;
  set(on: boolean): void;
  /** The address was asked just now, for whatever reason. */
  checked(): void;
  close(): void;
}

/** Asks once a day where the person has switched that on. */
export function createDailyCheck({ file, everyMs = DAY_MS, check, log }: DailyOptions): DailyCheck {
  let kept = read(file, log);
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function schedule(): void {
    clearTimeout(timer);
    if (closed || !kept.daily) return;
    const wait = Math.min(Math.max(kept.checkedAt + everyMs - Date.now(), 0), everyMs);
    timer = setTimeout(() => {
      keep({ ...kept, checkedAt: Date.now() });
      check();
    }, wait).unref();
  }

  function keep(next: Kept): void {
    kept = next;
    try {
      writeFileAtomic.sync(file, `${JSON.stringify(kept)}\n`, { mode: 0o600 });
    } catch (error) {
      log.error({ err: error }, 'app: the settings of updates could not be kept');
    }
    schedule();
  }

  schedule();
  return {
    on: () => kept.daily,
    set: (daily) => keep({ ...kept, daily }),
    checked: () => kept.daily && keep({ ...kept, checkedAt: Date.now() }),
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

function read(file: string, log: Logger): Kept {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (errno(error) !== 'ENOENT') log.warn({ err: error }, 'app: the settings of updates cannot be read');
    return { daily: false, checkedAt: 0 };
  }
}
