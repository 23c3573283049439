/** Texts name commands as `chaperone …`; where that is not on the search path, `program`, which works here, replaces it. Pure. */
export const PROGRAM_NAME = 'chaperone';

/** Replaces the program's name in each `chaperone …` between backticks. */
export function withLocalCommand(text: string, program: string): string {
  return text.replaceAll(/`chaperone(?= [a-z])/g, () => `\`${program}`);
}

/** Replaces the program's name at the beginning of a command. */
export function localCommand(command: string, program: string): string {
  return command.startsWith(`${PROGRAM_NAME} `) ? `${program}${command.slice(PROGRAM_NAME.length)}` : command;
}

/** A command line for a POSIX shell; quotes words with special characters. */
export function shellLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}
