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

/** A test compares it with package.json. */
export const VERSION = '0.1.0';
/** The service name of the bridge contract, as `desktop.health` reports it. */
export const BRIDGE_SERVICE = 'com.msgcode.desktop.bridge';

/** A tool of the shim itself, so no other may have its name. */
export const RESUME_TOOL = 'resume_call';

/** The progress of a call that acts, where it has no steps to name. */
export const RUNNING = 'Running.';

/** The tool that only waits for the person. */
export const QUESTION_TOOL = 'send_message';
