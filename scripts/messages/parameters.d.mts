export function parametersOf(sentence: string): Map<string, 'text' | 'number' | string[]>;
export function parametersModule(catalogue: Readonly<Record<string, string>>): string;
