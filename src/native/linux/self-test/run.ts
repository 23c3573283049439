/**
 * The self-test on Linux. Comes in: an open desktop and a window of its own, opened without it. Goes out: a row for each ability. Nothing is
 * sent unless the window itself was told that it has the pointer or the keyboard. Called by `../index.ts` for `chaperone doctor --self-test`.
 */
import { withTimeout } from '../../../base/poll.js';
import { DesktopError, type DesktopBackend } from '../../desktop.js';
import { message, MessageError, verbatim, type Message } from '../../../messages/index.js';
import { CHECKS, type Ability } from './checks.js';
import { isUnsupported, Red, type Scene } from './scene.js';
import type { TestObjects, TestWindow } from './window.js';

export type { Ability };

export interface AbilityRow {
  ability: Ability;
  /** `cannot`: this display server has no way; nothing is wrong. */
  result: 'ok' | 'failed' | 'cannot';
  /** With what to do; null where it is right. */
  why: Message | null;
}

export interface Trial {
  desktop: DesktopBackend;
  window: TestWindow;
  openObjects(): Promise<TestObjects>;
  signal: AbortSignal;
  /** For each row as it comes. */
  onRow(row: AbilityRow): void;
  /** How long one check may take. */
  limitMs?: number;
  /** How long something that was sent may take to arrive. */
  arrivesMs?: number;
}

const LIMIT_MS = 20_000;
const ARRIVES_MS = 2000;

/** Closes the window, and lets go of whatever is held. */
export async function tryAbilities(trial: Trial): Promise<AbilityRow[]> {
  const { desktop, window, openObjects, signal, onRow, limitMs = LIMIT_MS, arrivesMs = ARRIVES_MS } = trial;
  const opened: { objects: Promise<TestObjects> | null } = { objects: null };
  const objects = () => (opened.objects ??= openObjects());
  const scene: Scene = { desktop, window, objects, corner: null, arrivesMs, signal };
  try {
    const rows: AbilityRow[] = [];
    for (const ability of Object.keys(CHECKS).filter(isAbility)) {
      signal.throwIfAborted();
      const row = await tryOne(scene, ability, limitMs);
      rows.push(row);
      onRow(row);
    }
    return rows;
  } finally {
    await desktop.releaseAll();
    await opened.objects?.then((open) => open.close()).catch(() => {});
    await window.close().catch(() => {});
  }
}

const isAbility = (name: string): name is Ability => name in CHECKS;

/** What was sent for one that failed is released before the next begins. */
async function tryOne(scene: Scene, ability: Ability, limitMs: number): Promise<AbilityRow> {
  const signal = AbortSignal.any([scene.signal, AbortSignal.timeout(limitMs)]);
  const within: Scene = { ...scene, signal };
  try {
    const work = CHECKS[ability](within).then(() => true);
    if ((await withTimeout(work, limitMs)) === null) throw new Red(message('self_test.too_slow'));
    return { ability, result: 'ok', why: null };
  } catch (thrown) {
    scene.signal.throwIfAborted();
    await scene.desktop.releaseAll();
    return { ability, result: isUnsupported(thrown) ? 'cannot' : 'failed', why: whyOf(thrown) };
  } finally {
    scene.corner = within.corner;
  }
}

function whyOf(thrown: unknown): Message {
  if (thrown instanceof DOMException && thrown.name === 'TimeoutError') return message('self_test.too_slow');
  if (thrown instanceof DesktopError || thrown instanceof MessageError) return thrown.text;
  return verbatim(thrown instanceof Error ? thrown.message : String(thrown));
}
