/** Names and reasons come from agents and applications: what controls a terminal or turns the direction of text must not reach it. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, '�');
}
