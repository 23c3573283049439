/** The part of js-yaml (which ships no types) that setup calls. */
declare module 'js-yaml' {
  /** Of a text with one document. Throws where it is not valid, or a key is there twice. */
  export function load(text: string): unknown;
}
