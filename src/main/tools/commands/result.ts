/** The result of a command: for the agent, as text, and for evidence. */
import * as z from 'zod';
import type { ReadContext } from '../../pipeline/context.js';
import type { FinishedCommand, FoundProcess } from '../../../native/process/index.js';
import { unpublished } from '../parameters.js';
import { hiddenKind } from '../../protocol/characters.js';

interface Output {
  bytes: number;
  head: Uint8Array;
  tail: Uint8Array;
}

interface DecodedOutput {
  text: string;
  /** Invalid UTF-8 was replaced. */
  binary: boolean;
  /** The middle is left out. */
  truncated: boolean;
}

/** Decodes command output as text, and escapes invisible characters for display. Pure. */
export function decodeOutput({ bytes, head, tail }: Output, most: number): DecodedOutput {
  const all = Buffer.concat([head, tail]);
  if (all.length === bytes && bytes <= most) return { ...decode(all), truncated: false };
  const half = Math.floor(most / 2);
  const end = Math.min(half, head.length);
  const start = Math.max(end, all.length - half);
  const first = decode(all.subarray(0, end), true);
  const last = decode(fromCharacter(all.subarray(start)));
  const left = bytes - end - (all.length - start);
  return {
    text: `${first.text}\n[… ${left} bytes left out …]\n${last.text}`,
    binary: first.binary || last.binary,
    truncated: true,
  };
}

/** `stream`: leaves out an incomplete character at the end. */
function decode(bytes: Uint8Array, stream = false): { text: string; binary: boolean } {
  const text = (fatal: boolean) => new TextDecoder('utf-8', { fatal, ignoreBOM: true }).decode(bytes, { stream });
  try {
    return { text: text(true), binary: false };
  } catch {
    return { text: text(false), binary: true };
  }
}

/** Removes the rest of a character at the start. */
function fromCharacter(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start);
}

/** Keeps line ends and tabs; other invisible or direction-changing characters become codes. */
export function visible(text: string): string {
  return [...text.replaceAll('\r\n', '\n')]
    .map((one) => (one === '\n' || one === '\t' || hiddenKind(one) === null ? one : codePointLabel(one)))
    .join('');
}

const codePointLabel = (one: string): string =>
  `‹U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`;

/** Bytes of each stream in evidence. */
export const MAX_KEPT_BYTES = 256 * 1024;
/** Bytes of each stream that the agent gets. */
const MAX_RETURNED_BYTES = 48 * 1024;
/** Most processes that are named; the others are counted. */
const MAX_NAMED = 20;

const processes = z.array(z.object({ pid: z.number().int(), name: z.string() }));

export const commandResultSchema = z.object({
  exit_code: z.number().int().nullable(),
  signal: z.string().nullable(),
  timed_out: z.boolean(),
  stdout: z.string(),
  stderr: z.string(),
  stdout_bytes: unpublished(z.number().int()),
  stderr_bytes: unpublished(z.number().int()),
  truncated: z.boolean(),
  binary: unpublished(z.boolean()),
  left_running: unpublished(z.boolean()),
  left_behind: unpublished(
    z.object({ ended: processes, kept: processes, not_ended: processes, searched_completely: z.boolean() }),
  ),
  duration_ms: unpublished(z.number().int()),
});
type CommandResult = z.infer<typeof commandResultSchema>;

export function commandResult(ran: FinishedCommand): CommandResult {
  const { exitCode, signal, timedOut, stdout, stderr, durationMs } = ran;
  const { ended, kept, remaining, complete } = ran.leftBehind;
  const [out, err] = [decodeOutput(stdout, MAX_RETURNED_BYTES), decodeOutput(stderr, MAX_RETURNED_BYTES)];
  return {
    exit_code: exitCode,
    signal,
    timed_out: timedOut,
    stdout: out.text,
    stderr: err.text,
    stdout_bytes: stdout.bytes,
    stderr_bytes: stderr.bytes,
    truncated: out.truncated || err.truncated,
    binary: out.binary || err.binary,
    left_running: kept.length > 0 || remaining.length > 0,
    left_behind: { ended, kept, not_ended: remaining, searched_completely: complete },
    duration_ms: durationMs,
  };
}

export function commandResultText(ran: CommandResult): string {
  const { stdout, stderr } = ran;
  return [
    `${ending(ran)} after ${(ran.duration_ms / 1000).toFixed(1)} s.`,
    ...leftBehindLines(ran.left_behind),
    ...(ran.truncated
      ? [`It wrote ${ran.stdout_bytes} bytes of output and ${ran.stderr_bytes} of errors; the middle is left out.`]
      : []),
    ...(ran.binary ? ['Bytes that are not UTF-8 text appear as \ufffd.'] : []),
    ...(stdout === '' ? [] : ['Output:', visible(stdout)]),
    ...(stderr === '' ? [] : ['Errors:', visible(stderr)]),
  ].join('\n');
}

function ending({ timed_out: timedOut, exit_code: code, signal }: CommandResult): string {
  if (timedOut) return 'Timed out';
  if (code !== null) return `Exit code ${code}`;
  return signal === null ? 'Ended (unknown how)' : `Killed by ${signal}`;
}

function leftBehindLines({
  ended,
  kept,
  not_ended: remaining,
  searched_completely: complete,
}: CommandResult['left_behind']) {
  return [
    ...(ended.length > 0
      ? [`Killed leftover processes: ${processNames(ended)}. To keep them, set keep_running: true.`]
      : []),
    ...(kept.length > 0 ? [`Keeps running until the person ends it or Chaperone exits: ${processNames(kept)}.`] : []),
    ...(remaining.length > 0 ? [`Could not be killed and still runs: ${processNames(remaining)}.`] : []),
    ...(complete
      ? []
      : ['Processes that left its group and changed their environment may still run. They could not be found.']),
  ];
}

function processNames(list: readonly FoundProcess[]): string {
  const names = list.slice(0, MAX_NAMED).map(({ pid, name }) => `${visible(name)} (${pid})`);
  return [...names, ...(list.length > MAX_NAMED ? [`and ${list.length - MAX_NAMED} more`] : [])].join(', ');
}

export function keepEvidence(ctx: ReadContext, ran: FinishedCommand): void {
  const { stdout, stderr, exitCode, signal, timedOut, durationMs, leftBehind } = ran;
  ctx.trace({ step: 'ended', exitCode, signal, timedOut, durationMs, leftBehind });
  for (const [step, output] of [
    ['stdout', stdout],
    ['stderr', stderr],
  ] as const)
    ctx.trace({ step, bytes: output.bytes, ...decodeOutput(output, MAX_KEPT_BYTES) });
}
