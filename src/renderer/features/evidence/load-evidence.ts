/** Loads one action's evidence from the host: first its record, then each file when it is needed. */
import { useEffect, useMemo, useState } from 'react';
import type { AnswerTo, Evidence, EvidenceFileName, EvidenceVerdict, FileState } from '../../../main/protocol/index.js';
import type { Ask } from '../../net/host-questions.js';
import { useLoaded, valueOf, type Loaded } from '../../ui/loaded.js';

const URL_LIFETIME_MS = 10_000;

/** `attempt` rises to ask again. */
export function useEvidence(ask: Ask, executionId: string, attempt: number): Loaded<Evidence> {
  return useLoaded(async () => (await ask('evidence', { executionId })).evidence, `${executionId} ${attempt}`);
}

export interface LoadedFile {
  fileState: FileState;
  /** null unless the file is as it was written. */
  bytes: Uint8Array<ArrayBuffer> | null;
}

export function useFile(ask: Ask, executionId: string, name: EvidenceFileName | null): Loaded<LoadedFile> | null {
  const load = name === null ? null : () => fetchFile(ask, executionId, name);
  const loaded = useLoaded(load, `${executionId} ${name ?? ''}`);
  return name === null ? null : loaded;
}

/** Text that is JSON, or lines of it. `parse` gives null for what it does not know. */
export function useParsedFile<T>(file: Loaded<LoadedFile> | null, parse: (text: string) => T | null): T | null {
  const bytes = valueOf(file)?.bytes ?? null;
  return useMemo(
    () => (bytes === null ? null : nullOnError(() => parse(new TextDecoder().decode(bytes)))),
    [bytes, parse],
  );
}

/** An address for a picture, as long as it is shown. */
export function usePicture(file: Loaded<LoadedFile> | null): string | null {
  const bytes = valueOf(file)?.bytes ?? null;
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (bytes === null) return undefined;
    const made = URL.createObjectURL(new Blob([bytes], { type: 'image/png' }));
    setUrl(made);
    return () => {
      setUrl(null);
      // Later, because the picture may still be decoding.
      setTimeout(() => URL.revokeObjectURL(made), URL_LIFETIME_MS);
    };
  }, [bytes]);
  return url;
}

/** `attempt` rises to check again; before the first there is nothing. */
export function useVerification(ask: Ask, executionId: string, attempt: number): Loaded<EvidenceVerdict> | null {
  const load = attempt === 0 ? null : async () => (await ask('verifyEvidence', { executionId })).verdict;
  const loaded = useLoaded(load, `${executionId} ${attempt}`);
  return attempt === 0 ? null : loaded;
}

async function fetchFile(ask: Ask, executionId: string, name: EvidenceFileName): Promise<LoadedFile> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let offset: number | null = 0;
  while (offset !== null) {
    const part: AnswerTo<'evidenceFile'> = await ask('evidenceFile', { executionId, name, offset });
    if (part.fileState !== 'as_written') return { fileState: part.fileState, bytes: null };
    parts.push(bytesOf(part.base64));
    offset = part.next;
  }
  return { fileState: 'as_written', bytes: new Uint8Array(await new Blob(parts).arrayBuffer()) };
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  return bytes;
}

function nullOnError<T>(parse: () => T): T | null {
  try {
    return parse();
  } catch {
    return null;
  }
}
