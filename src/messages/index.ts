/**
 * The text for people, one ICU catalogue a language. Everything above says what happened as a message `{code, params}`; its text is made
 * at the edges only: page, notifications, command line, errors on the wire, the record. Nothing is ever read back from a text. Pure.
 */
export { english, type Code } from './english.js';
export { LANGUAGES, languageFor, languageOf, type Language } from './languages.js';
export {
  createFormatter,
  formatEnglish,
  fromRecord,
  inEnglish,
  isComplete,
  MessageError,
  textOf,
  toRecord,
  type Catalogue,
  type Formatter,
  type TextPart,
} from './formatter.js';
export {
  isCode,
  isMessage,
  message,
  messageOrTextSchema,
  messageSchema,
  recordedMessageSchema,
  verbatim,
  type Given,
  type Message,
  type RecordedMessage,
  type Taken,
  type Value,
} from './message.js';
