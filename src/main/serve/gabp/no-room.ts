import { message } from '../../../messages/index.js';
import { GABP_ERRORS, GabpFault, NIL_UUID, gabpFailure } from '../../protocol/gabp.js';

/** What a connection gets that is closed for want of room. */
export const noRoom = (most: number) =>
  gabpFailure(NIL_UUID, new GabpFault(GABP_ERRORS.busy, message('gabp.no_room', { most })));
