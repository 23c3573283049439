/** Decisions about requests. An Allow counts only after it is known whether a person pressed, and what lay over the page. */
import type { Approvals } from '../../approvals/index.js';
import type { CardPictures } from './card-pictures.js';
import type { PageCover } from './page-cover.js';
import type { Definitions, PageRefusal } from './definition.js';
import type { PressCheck } from './press-check.js';
import type { SeenPresses } from './seen-presses.js';
import { message } from '../../../messages/index.js';

export interface ApprovalDependencies {
  approvals: Pick<Approvals, 'answer' | 'pressBegan' | 'revokeGrant'>;
  cardPicture: CardPictures;
  cover: Pick<PageCover, 'pressBegan' | 'disturbanceOf'>;
  pressCheck: PressCheck;
  seenPresses: Pick<SeenPresses, 'pressBegan' | 'wasSeen'>;
}

type Handled = 'press' | 'approval' | 'revokeGrant' | 'cardPicture';

const PRESS_CHECK_TIMEOUT_MS = 5_000;

const UNCLEAR: PageRefusal = {
  ok: false,
  code: 'failed',
  message: message('answer.unclear'),
};
const NO_GRANT: PageRefusal = { ok: false, code: 'unknown_grant', message: message('grant.ended') };

export const approvalHandlers: Definitions<Handled, ApprovalDependencies> = {
  press: {
    role: 'paired',
    handler({ approvals, cover, seenPresses, page, person }, { id, digest, place }) {
      const { connection, pid } = page.source;
      // The popover's windows are this process's own.
      const holder = person.where === 'popover' ? process.pid : pid;
      cover.pressBegan(connection, holder, place);
      seenPresses.pressBegan(connection, holder, place !== undefined);
      approvals.pressBegan({ id, digest, connection });
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
  revokeGrant: {
    role: 'paired',
    handler: ({ approvals }, { id }) => (approvals.revokeGrant(id) ? undefined : NO_GRANT),
  },
  cardPicture: {
    role: 'paired',
    handler: ({ cardPicture }, { id }) => cardPicture(id),
  },
};
