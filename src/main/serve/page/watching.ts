/** What a paired page can watch and check: the live desktop, and this installation. */
import type { Definitions, Reply, PageRefusal } from './definition.js';
import type { LiveFrames } from './live-frames.js';
import { message } from '../../../messages/index.js';
import type { Page } from './page.js';
import type { DesktopInput } from '../../protocol/index.js';

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

// A person takes a desktop of an agent's own over, works there by hand, hands it back, keeps it or ends it.

/** Each says false where there is no such desktop, or this page does not have it. */
export interface OwnDesktopControl {
  live(id: string): Pick<LiveFrames, 'show' | 'taken' | 'leave'> | null;
  /** `holder`: the connection of the page. */
  take(id: string, holder: string): boolean;
  input(id: string, holder: string, input: DesktopInput): boolean;
  handBack(id: string, words: string): boolean;
  end(id: string): boolean;
  keep(id: string, on: boolean): boolean;
  /** The page is gone; what it took over stays taken, but nothing stays pressed there. */
  leave(page: Pick<Page, 'source'>): void;
}

export interface OwnDesktopDependencies {
  ownDesktops: OwnDesktopControl;
}

type Handled = 'takeDesktop' | 'desktopInput' | 'handBack' | 'endDesktop' | 'keepDesktop';

const GONE: PageRefusal = { ok: false, code: 'unknown_desktop', message: message('refused.unknown_desktop') };
const known = (found: boolean) => (found ? undefined : GONE);

export const ownDesktopHandlers: Definitions<Handled, OwnDesktopDependencies> = {
  takeDesktop: {
    role: 'paired',
    handler: ({ ownDesktops, page }, { id }) => known(ownDesktops.take(id, page.source.connection)),
  },
  desktopInput: {
    role: 'paired',
    handler: ({ ownDesktops, page }, { id, input }) => known(ownDesktops.input(id, page.source.connection, input)),
  },
  handBack: {
    role: 'paired',
    handler: ({ ownDesktops }, { id, message: words }) => known(ownDesktops.handBack(id, words.trim())),
  },
  endDesktop: { role: 'paired', handler: ({ ownDesktops }, { id }) => known(ownDesktops.end(id)) },
  keepDesktop: { role: 'paired', handler: ({ ownDesktops }, { id, on }) => known(ownDesktops.keep(id, on)) },
};
