import sentences from './en.json' with { type: 'json' };

export type Code = keyof typeof sentences;

/** The language of the wire and the record, and of people whose own has no catalogue. */
export const english: Readonly<Record<Code, string>> = sentences;
