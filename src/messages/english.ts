import sentences from './en.json' with { type: 'json' };

export type Code = keyof typeof sentences;

/** The language of the wire, the record and the command line, and of a page that cannot have its own. */
export const english: Readonly<Record<Code, string>> = sentences;
