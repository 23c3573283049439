/** How this machine calls the command line: commands are shown as a person can type them. */
import { createContext, useContext } from 'react';
import { withLocalCommand, localCommand } from '../../main/protocol/local-command.js';

export const CommandContext = createContext('chaperone');

export function useCommand(): { line(command: string): string; inText(text: string): string } {
  const own = useContext(CommandContext);
  return { line: (command) => localCommand(command, own), inText: (text) => withLocalCommand(text, own) };
}
