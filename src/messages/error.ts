import { formatEnglish } from './formatter.js';
import { verbatim, type Message } from './message.js';

/** An error whose text is a message of the catalogue; its `message` is the English. */
export class MessageError extends Error {
  constructor(readonly text: Message) {
    super(formatEnglish(text));
  }
}

/** Why something failed: the message of the error where it has one. */
export function textOf(thrown: unknown): Message {
  if (thrown instanceof MessageError) return thrown.text;
  return verbatim(thrown instanceof Error ? thrown.message : String(thrown));
}
