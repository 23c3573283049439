/** The first `most` UTF-16 units of a text, or one fewer: never ends with half a surrogate pair. */
export function sliceText(text: string, most: number): string {
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}
