/** Texts name commands as `chaperone …`; where that is not on the search path, it is replaced by a command that works. Pure. */
export const PROGRAM_NAME = 'chaperone';

/** Replaces the program's name in each `chaperone …` between backticks. */
export function withLocalCommand(text: string, own: string): string {
  return text.replaceAll(/`chaperone(?= [a-z])/g, () => `\`${own}`);
}

/** Replaces the program's name at the beginning of a command. */
export function localCommand(command: string, own: string): string {
  return command.startsWith(`${PROGRAM_NAME} `) ? `${own}${command.slice(PROGRAM_NAME.length)}` : command;
}

/** A command line for a POSIX shell; quotes words with special characters. */
export function shellLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}
