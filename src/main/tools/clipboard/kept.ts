/** What evidence stores of clipboard content: type, size and digest, never the content. Pure. */
import { createHash } from 'node:crypto';

interface Given {
  text?: string | undefined;
  html?: string | undefined;
  files?: string[] | undefined;
}

export const digestOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

const traceOf = (text: string) => ({ characters: [...text].length, sha256: digestOf(text) });

export const withoutContent = <T extends Given>({ text, html, files, ...rest }: T) => ({
  ...rest,
  ...(text === undefined ? {} : { text: traceOf(text) }),
  ...(html === undefined ? {} : { html: traceOf(html) }),
  ...(files === undefined ? {} : { files: { count: files.length, sha256: digestOf(files.join('\n')) } }),
});
