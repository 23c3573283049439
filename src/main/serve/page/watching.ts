/** What a paired page can watch and check: the live desktop, and this installation. */
import type { Definitions, Reply } from './definition.js';
import type { OwnDesktopControl } from './desktops.js';
import type { LiveFrames } from './live-frames.js';

/** Checks this machine, the host's own folders and, on request, the whole record. */
export interface Doctor {
  check(record: boolean): Promise<Reply<'check'>>;
}

export interface WatchHandlerDependencies {
  live: Pick<LiveFrames, 'show' | 'taken' | 'leave'>;
  doctor: Doctor;
  ownDesktops: Pick<OwnDesktopControl, 'live'>;
}

export const watchHandlers: Definitions<'live' | 'frameTaken' | 'check', WatchHandlerDependencies> = {
  live: {
    role: 'paired',
    handler({ page, ...from }, { on, still, desktop }) {
      const live = liveOf(from, desktop);
      if (on)
        live?.show(page, still === true, (frame) => page.send(desktop === undefined ? frame : { ...frame, desktop }));
      else live?.leave(page);
      return undefined;
    },
  },
  frameTaken: {
    role: 'paired',
    handler({ page, ...from }, { seq, desktop }) {
      liveOf(from, desktop)?.taken(page, seq);
      return undefined;
    },
  },
  check: {
    role: 'paired',
    handler: ({ doctor }, { record }) => doctor.check(record),
  },
};

const liveOf = ({ live, ownDesktops }: Pick<WatchHandlerDependencies, 'live' | 'ownDesktops'>, desktop?: string) =>
  desktop === undefined ? live : ownDesktops.live(desktop);
