/** Whether dangerous acts and grants are decided on this page, in the menubar popover, or there is no popover. */
import { createContext, useContext } from 'react';
import type { PopoverPlace } from '../../main/protocol/index.js';

export const PopoverContext = createContext<PopoverPlace>('none');

/** True where this page may only deny what the menubar popover decides. */
export function useDecidedInPopover(): boolean {
  return useContext(PopoverContext) === 'there';
}
