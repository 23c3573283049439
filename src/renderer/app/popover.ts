/** Where dangerous acts and grants are decided; anywhere below the page asks here. */
import { createContext, useContext } from 'react';
import type { PopoverPlace } from '../../main/protocol/index.js';

export const PopoverContext = createContext<PopoverPlace>('none');

/** True where the menubar popover decides what this page may only deny. */
export function useDecidedInPopover(): boolean {
  return useContext(PopoverContext) === 'there';
}
