import { message } from '../../../messages/index.js';
import type { Approvals } from '../../approvals/index.js';
import type { Imaging } from '../../evidence/imaging.js';
import type { Capture } from '../../../native/desktop.js';
import type { Picture } from '../../protocol/index.js';
import type { PageRefusal, Reply } from './definition.js';

export type CardPictures = (id: string) => Promise<Reply<'cardPicture'> | PageRefusal>;

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
