/** How this machine calls the command line: texts say `chaperone …`, and only where that is on the search path can a person type it. Pure. */
export const PROGRAM = 'chaperone';

/** Each `chaperone …` between backticks, as `own` calls it. */
export function asCalledHere(text: string, own: string): string {
  return text.replaceAll(/`chaperone(?= [a-z])/g, () => `\`${own}`);
}

/** A command that begins with the program's name, as `own` calls it. */
export function commandHere(command: string, own: string): string {
  return command.startsWith(`${PROGRAM} `) ? `${own}${command.slice(PROGRAM.length)}` : command;
}

/** One line for a POSIX shell: words with anything special in quotes. */
export function shellLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}
