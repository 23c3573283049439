export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** Replaces control and formatting characters: names and reasons come from agents and applications. */
export function terminalSafe(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, '�');
}
