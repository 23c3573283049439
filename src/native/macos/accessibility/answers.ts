/** Where one that does not answer is left out instead of failing the whole. A missing permission always fails it. */
import { DesktopError, type DesktopErrorCode, type Rect } from '../../desktop.js';
import { AX_ERROR } from '../calls/accessibility.js';
import type { Ref } from '../calls/types.js';
import type { Value } from '../foundation/values.js';

const WITHOUT_ANSWER: ReadonlySet<DesktopErrorCode> = new Set(['not_responding', 'not_found', 'stale', 'failed']);

/** null where the application hangs, refuses or has ended. */
export const nullWithoutAnswer = <T>(work: () => T): T | null => nullFor(WITHOUT_ANSWER, work);

/** null where the element is gone. */
export const nullWhenStale = <T>(work: () => T): T | null => nullFor(new Set(['stale']), work);

function nullFor<T>(codes: ReadonlySet<DesktopErrorCode>, work: () => T): T | null {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof DesktopError && codes.has(thrown.code)) return null;
    throw thrown;
  }
}

type Given = Value | null | undefined;

/** Plain values out of what attributes hold. */
export const textOf = (value: Given): string | null => (value?.kind === 'text' ? value.text : null);

export const elementOf = (value: Given): Ref | null => (value?.kind === 'element' ? value.ref : null);

export const listOf = (value: Given): Ref[] => (value?.kind === 'list' ? value.refs : []);

/** Some applications give numbers for truth. null where it is neither, and for a mixed state. */
export function truthOf(value: Given): boolean | null {
  if (value?.kind === 'boolean') return value.boolean;
  return value?.kind === 'number' && (value.number === 0 || value.number === 1) ? value.number === 1 : null;
}

/** As people read it; null for what is no text, number or truth. */
export function shownOf(value: Given): string | null {
  if (value?.kind === 'text') return value.text;
  if (value?.kind === 'number') return String(value.number);
  return value?.kind === 'boolean' ? String(Number(value.boolean)) : null;
}

export function frameOf(frame: Given, position: Given, size: Given): Rect | null {
  if (frame?.kind === 'rect') return frame.rect;
  return position?.kind === 'point' && size?.kind === 'size' ? { ...position.point, ...size.size } : null;
}

/** The element says that it has no such attribute, or nothing in it: not that it could not answer. */
export function isAbsent(value: Given): boolean {
  return value?.kind === 'error' && (value.code === AX_ERROR.attributeUnsupported || value.code === AX_ERROR.noValue);
}
