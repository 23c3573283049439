/** How this machine calls the command line: commands are shown as a person can type them. */
import { createContext, useContext } from 'react';
import { asCalledHere, commandHere } from '../../main/protocol/own-command.js';

export const CommandContext = createContext('chaperone');

export function useCommand(): { line(command: string): string; inText(text: string): string } {
  const own = useContext(CommandContext);
  return { line: (command) => commandHere(command, own), inText: (text) => asCalledHere(text, own) };
}
