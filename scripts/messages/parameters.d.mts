export function parametersOf(sentence: string): Map<string, 'text' | 'number' | string[]>;
export function moduleOf(catalogue: Readonly<Record<string, string>>): string;
