import { readFile } from 'node:fs/promises';
import { delay } from '../../../base/poll.js';
import type { XConnection } from './connection.js';
import { SUBSTRUCTURE_NOTIFY } from './event-masks.js';
import type { Properties } from './properties.js';
import type { Windows } from '../windows.js';

const MAX_WAIT_MS = 1000;
const FALLBACK_WAIT_MS = 60;
const IDLE_STEP_MS = 20;

/**
 * Waits until the active window's application has handled all input sent so far: it returns `_NET_WM_PING` in order with
 * the other events. One that does not support the ping has handled them once it sleeps; where it hangs the wait ends at a limit.
 */
export async function openPing(
  x: XConnection,
  windows: Windows,
  properties: Properties,
): Promise<(signal: AbortSignal) => Promise<void>> {
  const [protocols, ping] = await Promise.all([x.atom('WM_PROTOCOLS'), x.atom('_NET_WM_PING')]);
  /** Applications return the ping to the root window, whose other events are not needed: selected only during a wait. */
  const selectAnswers = (eventMask: number): Promise<void> =>
    x.send((done) => x.client.ChangeWindowAttributes(x.root, { eventMask }, done));
  let waiting = 0;
  let last = 0x70000000;

  return async (signal) => {
    const window = await windows.active();
    if (window === 0 || !(await properties.numbers(window, 'WM_PROTOCOLS')).includes(ping)) {
      const [pid] = window === 0 ? [] : await properties.numbers(window, '_NET_WM_PID');
      await delay(FALLBACK_WAIT_MS, signal);
      return pid === undefined ? undefined : untilIdle(pid, signal);
    }
    const stamp = (last += 1);
    let stop: () => void = () => {};
    const answered = new Promise<void>((resolve) => {
      stop = x.onEvent((event) => {
        if (event.name !== 'ClientMessage' || event.rawData === undefined) return;
        const [type, serial] = [event.rawData.readUInt32LE(8), event.rawData.readUInt32LE(16)];
        if (type === protocols && serial === stamp && event.rawData.readUInt32LE(4) === x.root) resolve();
      });
    });
    try {
      waiting += 1;
      await selectAnswers(SUBSTRUCTURE_NOTIFY);
      await x.send((done) => x.client.SendClientMessage(window, window, protocols, 32, [ping, stamp, window], 0, done));
      const finished = new AbortController();
      await Promise.race([answered, delay(MAX_WAIT_MS, AbortSignal.any([signal, finished.signal]))]).finally(() =>
        finished.abort(),
      );
    } finally {
      stop();
      waiting -= 1;
      if (waiting === 0) await selectAnswers(0).catch(() => {});
    }
  };
}

/** A process with input to read is runnable until it has read it: it has read all once it sleeps, and has used no time since it did so before. */
async function untilIdle(pid: number, signal: AbortSignal): Promise<void> {
  const end = performance.now() + MAX_WAIT_MS;
  let usedAsleep: string | null = null;
  while (performance.now() < end) {
    const { sleeps, used } = await statusOf(pid);
    if (sleeps && used === usedAsleep) return;
    usedAsleep = sleeps ? used : null;
    await delay(IDLE_STEP_MS, signal);
  }
}

/** The state and the processor time of proc(5). A process that has ended sleeps. */
async function statusOf(pid: number): Promise<{ sleeps: boolean; used: string }> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [state, ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { sleeps: state !== 'R' && state !== 'D', used: `${fields[10]} ${fields[11]}` };
}
