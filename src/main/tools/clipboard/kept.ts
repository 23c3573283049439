/** What evidence stores of clipboard content: type, size and digest, never the content. Pure. */
import { sha256 } from '../../pipeline/sha256.js';

interface Given {
  text?: string | undefined;
  html?: string | undefined;
  files?: string[] | undefined;
}

const traceOf = (text: string) => ({ characters: [...text].length, sha256: sha256(text) });

export const withoutContent = <T extends Given>({ text, html, files, ...rest }: T) => ({
  ...rest,
  ...(text === undefined ? {} : { text: traceOf(text) }),
  ...(html === undefined ? {} : { html: traceOf(html) }),
  ...(files === undefined ? {} : { files: { count: files.length, sha256: sha256(files.join('\n')) } }),
});
