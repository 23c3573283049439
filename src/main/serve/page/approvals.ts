/** Decisions about requests. An Allow counts only after it is known whether a person pressed, and what lay over the page. */
import type { Approvals } from '../../approvals/index.js';
import type { App, DesktopReader, Capture } from '../../../native/desktop.js';
import type { PageCover } from './page-cover.js';
import type { Definitions, PageRefusal, Reply } from './definition.js';
import type { PressCheck } from './press-check.js';
import type { SeenPresses } from './seen-presses.js';
import { message } from '../../../messages/index.js';
import type { Imaging } from '../../evidence/imaging.js';
import type { Picture } from '../../protocol/index.js';

export interface ApprovalDependencies {
  approvals: Pick<Approvals, 'answer' | 'moreTime' | 'pressBegan' | 'revokeGrant' | 'tasks'>;
  desktop: Pick<DesktopReader, 'apps'>;
  cardPicture: CardPictures;
  cover: Pick<PageCover, 'pressBegan' | 'disturbanceOf'>;
  pressCheck: PressCheck;
  seenPresses: Pick<SeenPresses, 'pressBegan' | 'wasSeen'>;
}

type Handled = 'press' | 'approval' | 'moreTime' | 'revokeGrant' | 'cardPicture' | 'editTask' | 'endTask' | 'taskApps';

const APPS_TIMEOUT_MS = 5_000;
const PRESS_CHECK_TIMEOUT_MS = 5_000;

const UNCLEAR: PageRefusal = {
  ok: false,
  code: 'failed',
  message: message('answer.unclear'),
};
const NO_TASK: PageRefusal = { ok: false, code: 'unknown_grant', message: message('refused.task_ended') };
const NO_GRANT: PageRefusal = { ok: false, code: 'unknown_grant', message: message('grant.ended') };

export const approvalHandlers: Definitions<Handled, ApprovalDependencies> = {
  press: {
    role: 'paired',
    handler({ approvals, cover, seenPresses, page, person }, { type: _, place, ...shown }) {
      const { connection, pid } = page.source;
      // The popover's windows are this process's own.
      const holder = person.where === 'popover' ? process.pid : pid;
      cover.pressBegan(connection, holder, place);
      seenPresses.pressBegan(connection, holder, place !== undefined);
      approvals.pressBegan({ ...shown, connection });
      return undefined;
    },
  },
  approval: {
    role: 'paired',
    async handler(context, { type: _, ...answer }, signal) {
      const { approvals, cover, pressCheck, seenPresses, page, person, assertRole } = context;
      const { connection, pid } = page.source;
      const given = { ...answer, ...person, connection };
      if (answer.decision === 'deny') return approvals.answer(given);
      try {
        const soon = AbortSignal.any([signal, AbortSignal.timeout(PRESS_CHECK_TIMEOUT_MS)]);
        await pressCheck.inputFlushed({ pid, where: person.where }, soon);
        assertRole();
        const [otherDisplay, disturbance, seen] = await Promise.all([
          pressCheck.isOnOtherDisplay(pid),
          cover.disturbanceOf(connection),
          seenPresses.wasSeen(connection),
        ]);
        assertRole();
        return approvals.answer({ ...given, otherDisplay, unseen: !seen, ...disturbance });
      } catch {
        return UNCLEAR;
      }
    },
  },
  moreTime: {
    role: 'paired',
    handler: ({ approvals }, { id }) => approvals.moreTime(id),
  },
  revokeGrant: {
    role: 'paired',
    handler: ({ approvals }, { id }) => (approvals.revokeGrant(id) ? undefined : NO_GRANT),
  },
  editTask: {
    role: 'paired',
    async handler({ approvals, desktop, assertRole }, { id, digest, task }, signal) {
      const running = await runningApps(desktop, signal);
      assertRole();
      return approvals.tasks.edit({ ...task, id, digest }, running);
    },
  },
  endTask: {
    role: 'paired',
    handler: ({ approvals }, { id }) => (approvals.tasks.end(id) ? undefined : NO_TASK),
  },
  taskApps: {
    role: 'paired',
    async handler({ approvals, desktop }, { id }, signal) {
      const offered = approvals.tasks.offered(id, await runningApps(desktop, signal));
      return { apps: offered.map(({ id: appId, name }) => ({ id: appId, name })) };
    },
  },
  cardPicture: {
    role: 'paired',
    handler: ({ cardPicture }, { id }) => cardPicture(id),
  },
};

const runningApps = (desktop: Pick<DesktopReader, 'apps'>, signal: AbortSignal): Promise<App[]> =>
  desktop.apps(AbortSignal.any([signal, AbortSignal.timeout(APPS_TIMEOUT_MS)]));

type CardPictures = (id: string) => Promise<Reply<'cardPicture'> | PageRefusal>;

/** The full picture of an open card. Encoded when a page asks, once per capture. */
export function createCardPictures(
  approvals: Pick<Approvals, 'fullViewOf'>,
  imaging: Pick<Imaging, 'fullPicture'>,
): CardPictures {
  const made = new WeakMap<Capture, Promise<Picture>>();

  return async (id) => {
    const found = approvals.fullViewOf(id);
    if (found === null) return { ok: false, code: 'unknown_card', message: message('refused.unknown_card') };
    const { digest, seen } = found;
    if (seen === null) return { digest, picture: null };
    const picture = made.get(seen.capture) ?? imaging.fullPicture(seen.capture, seen.target);
    made.set(seen.capture, picture);
    return { digest, picture: await picture };
  };
}
