/** A commander command that says wrong usage in the person's language. Commander itself has no texts but English. */
import { Command, CommanderError, type Option } from 'commander';
import { message, type Formatter, type Message } from '../../messages/index.js';
import { closestName } from '../protocol/input-errors.js';

/** Replaces the methods in which commander makes its English sentences; subcommands are made the same way. */
export function createCommand(name: string | undefined, words: Formatter): Command {
  const command = new Command(name);

  /** Prints it, with the hint at --help; throws what ends the command. */
  const refuse = (code: string, said: Message, near: string | null = null): never =>
    command.error(words.format(near === null ? said : message('error.did_you_mean', { problem: said, name: near })), {
      code: `commander.${code}`,
    });

  return Object.assign(command, {
    createCommand: (below?: string) => createCommand(below, words),
    unknownOption(option: string): never {
      const near = option.startsWith('--') ? closestName(option, optionNames(command)) : null;
      return refuse('unknownOption', message('cli.usage.unknown_option', { option }), near);
    },
    unknownCommand(): never {
      const { said, near } = unknownCommand(command);
      return refuse('unknownCommand', said, near);
    },
    missingArgument: (argument: string) =>
      refuse('missingArgument', message('cli.usage.missing_argument', { argument })),
    optionMissingArgument: ({ flags }: Option) =>
      refuse('optionMissingArgument', message('cli.usage.missing_value', { option: flags })),
    _excessArguments(given: readonly string[]): void {
      const { parent: group } = command;
      // A subcommand that does not exist arrives as an argument of the default one.
      if (given.length > 0 && group !== null && group.args[0] !== command.name()) {
        const { said, near } = unknownCommand(group);
        refuse('unknownCommand', said, near);
      }
      const expected = command.registeredArguments.length;
      const counts = { command: command.name(), expected, given: given.length };
      if (given.length > expected) refuse('excessArguments', message('cli.usage.too_many_arguments', counts));
    },
    _callParseArg(option: Pick<Option, 'flags' | 'argChoices' | 'parseArg'>, value: string, previous: unknown) {
      try {
        return option.parseArg?.(value, previous);
      } catch (thrown) {
        if (!(thrown instanceof CommanderError)) throw thrown;
        const choices = (option.argChoices ?? []).join(', ');
        return refuse('invalidArgument', message('cli.usage.not_a_choice', { option: option.flags, value, choices }));
      }
    },
  });
}

/** What was given to `group`, the whole program or a command with subcommands, and names none of them. */
function unknownCommand(group: Command): { said: Message; near: string | null } {
  const prefix = group.parent === null ? '' : `${group.name()} `;
  const [given = ''] = group.args;
  const known = group.createHelp().visibleCommands(group);
  const near = closestName(
    given,
    known.map((one) => one.name()),
  );
  return {
    said: message('cli.usage.unknown_command', { name: `${prefix}${given}` }),
    near: near === null ? null : `${prefix}${near}`,
  };
}

const optionNames = (command: Command): string[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long }) => long ?? []);
