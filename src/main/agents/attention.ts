import { randomUUID } from 'node:crypto';
import { createEmitter } from '../../base/emitter.js';
import { WireError, type Status } from '../protocol/index.js';
import { formatEnglish, message, type Message } from '../../messages/index.js';

/** GABP attention item (`reference` schema: attentionId, state, severity, blocking …). */
export interface Attention {
  attentionId: string;
  state: 'open' | 'cleared';
  severity: 'info' | 'warning' | 'error' | 'fatal';
  blocking: boolean;
  stateInvalidated: boolean;
  summary: string;
  openedAtSequence: number;
  latestSequence: number;
  totalUrgentEntries: number;
}

/** The attention interface for protocol servers. */
export interface AttentionPort {
  current(): Attention | null;
  acknowledge(id: string): { acknowledged: boolean; currentAttention: Attention | null };
  onChange(listener: (event: 'opened' | 'updated' | 'cleared', item: Attention, why: Message) => void): () => void;
}

/** Conditions that refuse agents' calls. */
export type Condition = 'paused' | 'taken_over' | 'permission' | 'display_lost' | 'locked';

const SEVERITY = {
  paused: 'info',
  taken_over: 'info',
  permission: 'error',
  display_lost: 'fatal',
  locked: 'warning',
} as const;
const ORDER: readonly Condition[] = ['display_lost', 'permission', 'locked', 'paused', 'taken_over'];

export interface AttentionBoard {
  port: AttentionPort;
  set(condition: Condition, why: Message | null): void;
  /** The most severe condition besides a pause. */
  now(): Status['attention'];
  /**
   * Throws DESKTOP_HOST_NOT_READY (a lost permission: DESKTOP_PERMISSION_MISSING) with the condition while one blocks. `offDesktop`:
   * the call does not use the desktop, so a takeover by the person does not block it.
   */
  assertClear(offDesktop?: boolean): void;
}

interface Open {
  condition: Condition;
  item: Attention;
  why: Message;
}

export function createAttention(onError?: (thrown: unknown) => void): AttentionBoard {
  const open = new Map<Condition, Open>();
  const clearedIds = new Set<string>();
  const changes = createEmitter<Open & { event: 'opened' | 'updated' | 'cleared' }>(onError);
  let sequence = 0;

  const first = (): Open | null => {
    const condition = ORDER.find((one) => open.has(one));
    return condition === undefined ? null : (open.get(condition) ?? null);
  };
  const current = (): Attention | null => first()?.item ?? null;

  function clear(condition: Condition): void {
    const was = open.get(condition);
    if (was === undefined) return;
    open.delete(condition);
    clearedIds.add(was.item.attentionId);
    changes.emit({ ...was, event: 'cleared', item: { ...was.item, state: 'cleared', blocking: false } });
  }

  function set(condition: Condition, why: Message | null): void {
    if (why === null) return clear(condition);
    const was = open.get(condition)?.item;
    const summary = formatEnglish(why);
    if (was?.summary === summary) return;
    sequence += 1;
    const item: Attention = {
      attentionId: was?.attentionId ?? randomUUID(),
      state: 'open',
      severity: SEVERITY[condition],
      blocking: true,
      stateInvalidated: condition !== 'permission',
      summary,
      openedAtSequence: was?.openedAtSequence ?? sequence,
      latestSequence: sequence,
      totalUrgentEntries: (was?.totalUrgentEntries ?? 0) + 1,
    };
    open.set(condition, { condition, item, why });
    changes.emit({ event: was === undefined ? 'opened' : 'updated', condition, item, why });
  }

  return {
    set,
    now() {
      for (const condition of ORDER) {
        const item = open.get(condition)?.item;
        if (condition !== 'paused' && item !== undefined) return { condition, summary: item.summary };
      }
      return null;
    },
    assertClear(offDesktop = false) {
      const blocking = first();
      if (blocking === null) return;
      const { condition: reason, item, why } = blocking;
      if (offDesktop && reason === 'taken_over') return;
      const code = reason === 'permission' ? 'DESKTOP_PERMISSION_MISSING' : 'DESKTOP_HOST_NOT_READY';
      throw new WireError(code, message('error.not_done', { why }), {
        reason,
        attentionId: item.attentionId,
        ...(reason === 'paused' ? { next: message('pause.next') } : {}),
      });
    },
    port: {
      current,
      /** Acknowledging changes nothing else: only the end of the condition removes it. */
      acknowledge: (id) => ({ acknowledged: clearedIds.has(id) && current() === null, currentAttention: current() }),
      onChange: (listener) => changes.on(({ event, item, why }) => listener(event, item, why)),
    },
  };
}
