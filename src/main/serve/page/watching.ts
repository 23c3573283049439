/** What a paired page can watch and check: the live desktop, and this installation. */
import type { Definitions, Reply } from './definition.js';
import type { LiveFrames } from './live-frames.js';

/** Checks this machine, the host's own folders and, on request, the whole record. */
export interface Doctor {
  check(record: boolean): Promise<Reply<'check'>>;
}

export interface WatchHandlerDependencies {
  live: Pick<LiveFrames, 'show' | 'taken' | 'leave'>;
  doctor: Doctor;
}

export const watchHandlers: Definitions<'live' | 'frameTaken' | 'check', WatchHandlerDependencies> = {
  live: {
    role: 'paired',
    handler({ live, page }, { on, still }) {
      if (on) live.show(page, still === true, page.send);
      else live.leave(page);
      return undefined;
    },
  },
  frameTaken: {
    role: 'paired',
    handler({ live, page }, { seq }) {
      live.taken(page, seq);
      return undefined;
    },
  },
  check: {
    role: 'paired',
    handler: ({ doctor }, { record }) => doctor.check(record),
  },
};
