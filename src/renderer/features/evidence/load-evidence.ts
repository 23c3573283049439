/** Loads one action's evidence from the host: first its record, then each file when it is needed. */
import { useCallback, useEffect, useState } from 'react';
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
  const [parsed, setParsed] = useState<{ of: Uint8Array | null; value: T | null }>({ of: null, value: null });
  useEffect(() => {
    setParsed({ of: bytes, value: bytes === null ? null : nullOnError(() => parse(new TextDecoder().decode(bytes))) });
  }, [bytes, parse]);
  return parsed.of === bytes ? parsed.value : null;
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

export type VerifyState =
  { state: 'none' | 'checking' } | { state: 'failed'; message: string } | { state: 'done'; verdict: EvidenceVerdict };

export function useVerification(ask: Ask, executionId: string): { check: VerifyState; run(): void } {
  const [check, setCheck] = useState<{ of: string; now: VerifyState }>({ of: executionId, now: { state: 'none' } });
  const run = useCallback(() => {
    setCheck({ of: executionId, now: { state: 'checking' } });
    const update = (now: VerifyState) =>
      setCheck((last) => (last.of === executionId ? { of: executionId, now } : last));
    ask('verifyEvidence', { executionId }).then(
      ({ verdict }) => update({ state: 'done', verdict }),
      (failure: unknown) => update({ state: 'failed', message: failure instanceof Error ? failure.message : '' }),
    );
  }, [ask, executionId]);
  return { check: check.of === executionId ? check.now : { state: 'none' }, run };
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
  return { fileState: 'as_written', bytes: concatenate(parts) };
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  return bytes;
}

function concatenate(parts: Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function nullOnError<T>(parse: () => T): T | null {
  try {
    return parse();
  } catch {
    return null;
  }
}
