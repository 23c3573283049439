import { message } from '../../../messages/index.js';
import { GABP_ERRORS, GabpFault, NIL_UUID, gabpFailure } from '../../protocol/gabp.js';

/** Sent to a connection before it is closed because there are too many. */
export const noRoom = (most: number) =>
  gabpFailure(NIL_UUID, new GabpFault(GABP_ERRORS.busy, message('gabp.no_room', { most })));
