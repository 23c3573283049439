import { formatEnglish } from './formatter.js';
import { asMessage, verbatim, type Message } from './message.js';

/** An error whose text is a message of the catalogue; its `message` is the English. */
export class MessageError extends Error {
  readonly text: Message;

  constructor(text: string | Message) {
    super(typeof text === 'string' ? text : formatEnglish(text));
    this.text = asMessage(text);
  }
}

/** Why something failed: the message of the error where it has one. */
export function textOf(thrown: unknown): Message {
  if (thrown instanceof MessageError) return thrown.text;
  return verbatim(thrown instanceof Error ? thrown.message : String(thrown));
}
