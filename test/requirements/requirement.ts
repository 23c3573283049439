/** What the product promises, as data: one row for each behaviour, with where it is promised and which piece of work owes it. */
export type OwedBy = 'main-job' | 'tools' | 'app' | 'gabp' | 'macos' | 'windows';

export interface Requirement {
  /** Cited by tests as `[req:ID]` in a title. Never given out twice. */
  id: string;
  /** Document and section. */
  source: string;
  owedBy: OwedBy;
  /** In our own words. */
  text: string;
}

/** id → section, who owes it, what is promised. */
export type Rows = Readonly<Record<string, readonly [string, OwedBy, string]>>;

export function requirements(document: string, rows: Rows): Requirement[] {
  return Object.entries(rows).map(([id, [section, owedBy, text]]) => ({
    id,
    source: `${document} ${section}`,
    owedBy,
    text,
  }));
}
