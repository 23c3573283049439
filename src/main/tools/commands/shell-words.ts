/** Splits a script that is one simple command into its words. What a shell would do more with is refused. Pure. */
import { hiddenKind } from '../../protocol/characters.js';

const MAX_LENGTH = 4000;
/** Outside quotes these mean themselves to every shell. */
const UNQUOTED = /^[\p{L}\p{N}_@%+=:,./^-]$/u;
/** Within double quotes these mean more than themselves. */
const ACTIVE = new Set(['$', '`', '\\', '!']);
/** Words that a shell takes for itself where a program would stand. */
const OF_THE_SHELL = new Set(
  '. : [ [[ { } ! if then elif else fi for while until do done case esac in select function time coproc source eval exec command builtin cd pushd popd export declare local typeset readonly set unset shift alias unalias trap umask ulimit wait jobs fg bg read return exit break continue hash type test let enable'.split(
    ' ',
  ),
);

/** null: more than one simple command, or anything of which a shell makes more than the words that stand there. */
export function simpleCommand(script: string): string[] | null {
  const words = wordsOf(script);
  const [program = ''] = words ?? [];
  if (words === null || program === '' || /^[A-Za-z_]\w*\+?=/.test(program) || OF_THE_SHELL.has(program)) return null;
  return words;
}

/** Words that go to a program as they are, where a person can read each of them. */
export function readableWords(words: readonly string[]): string[] | null {
  const [program = ''] = words;
  return program === '' || words.some(hides) ? null : [...words];
}

const hides = (word: string): boolean => [...word].some((one) => hiddenKind(one) !== null);

function wordsOf(script: string): string[] | null {
  if (script.length > MAX_LENGTH) return null;
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (const one of script) {
    if (hiddenKind(one) !== null) return null;
    if (quote !== null) {
      if (one === quote) quote = null;
      else if (quote === '"' && ACTIVE.has(one)) return null;
      else word = `${word ?? ''}${one}`;
    } else if (one === ' ') {
      if (word !== null) words.push(word);
      word = null;
    } else if (one === "'" || one === '"') {
      quote = one;
      word ??= '';
    } else if (UNQUOTED.test(one) || (one === '~' && word !== null && /[\w^]$/.test(word)))
      word = `${word ?? ''}${one}`;
    else return null;
  }
  if (quote !== null) return null;
  return word === null ? words : [...words, word];
}
