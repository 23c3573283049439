/** What commander's help looks like and says, in the language of the command line. */
import { Help, type HelpConfiguration } from 'commander';
import type { Formatter } from '../../messages/index.js';

/** Characters that take two columns of a terminal. */
const WIDE = /[\p{Script=Han}\u3000-\u303f\uff00-\uff60]/gu;

export function helpIn({ text }: Formatter): HelpConfiguration {
  const titles = new Map([
    ['Usage:', text('cli.help.usage')],
    ['Options:', text('cli.help.options')],
    ['Commands:', text('cli.help.commands')],
  ]);
  const help = new Help();
  const translated = (usage: string): string =>
    usage
      .replace('[options]', `[${text('cli.help.usage_options')}]`)
      .replace('[command]', `[${text('cli.help.usage_command')}]`);
  return {
    styleTitle: (title) => titles.get(title) ?? title,
    displayWidth: (line) => line.length + (line.match(WIDE)?.length ?? 0),
    commandUsage: (command) => translated(help.commandUsage(command)),
    subcommandTerm: (command) => translated(help.subcommandTerm(command)),
    optionDescription: ({ description, argChoices = [], defaultValue }) => {
      const choices = argChoices.length === 0 ? [] : [text('cli.help.choices', { choices: argChoices.join(', ') })];
      const fallback = defaultValue === undefined ? [] : [text('cli.help.default', { value: String(defaultValue) })];
      const more = [...choices, ...fallback];
      return more.length === 0 ? description : `${description} (${more.join('; ')})`;
    },
  };
}
