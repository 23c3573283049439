/**
 * Tells early that an act shows nothing: once its application has read the input, rests, and has painted nothing for two frames. It may
 * still have a timer, or wait for a server: what is known then is "nothing so far".
 */
import type { DesktopReader, Window, WindowPaint, Element } from '../../../native/desktop.js';
import { delay } from '../../../base/poll.js';
import type { OwnChanges } from './own-changes.js';
import { SELECTION_KEY, type Facts } from './changes.js';

// Tells changes that an act explains from those an application may have made by itself (a clock, a progress bar).

/** Roles that only display something, so a change of them is no answer to an act on them. */
const PASSIVE_ROLES: ReadonlySet<string> = new Set([
  'AXStaticText', 'AXHeading', 'AXImage', 'AXProgressIndicator', 'AXBusyIndicator', 'AXLevelIndicator', 'AXGroup', 'AXWindow',
]); // prettier-ignore
/** Roles whose descendants are content of their own, not parts of the element. */
const CONTAINER_ROLES: ReadonlySet<string> = new Set([
  'AXScrollArea', 'AXWebArea', 'AXTable', 'AXOutline', 'AXList', 'AXTabGroup', 'AXSplitGroup', 'AXToolbar', 'AXMenuBar',
]); // prettier-ignore
const PROGRESS_ROLE = /^AX(?:Progress|Busy|Level)Indicator\b/;
const WINDOW = /^window /;
const STATE_SUFFIX = /(?: (?:focused|checked|selected|expanded))+$/;
const FRAME_SUFFIX = / at \(-?[\d.]+, -?[\d.]+\), [\d.]+×[\d.]+(?:, minimised)?$/;
const TIME = /\b\d{1,2}:\d{2}(?::\d{2})?\b/g;

/** Compares facts read before and after an act on `target`. */
export function createChangeComparer(
  target: Element | null,
  history: Pick<OwnChanges, 'fact' | 'elements' | 'windows'>,
  pid: number,
) {
  const own = target === null || PASSIVE_ROLES.has(target.role) ? null : target.path.join('/');
  const hasParts = target !== null && !CONTAINER_ROLES.has(target.role);

  return (before: Facts, after: Facts) => {
    const isAddedOrRemoved = (key: string) => before.has(key) !== after.has(key);
    const keys = differing(before, after);
    const reordered = keys.some((key) => !WINDOW.test(key) && !isSelection(key) && isAddedOrRemoved(key));
    const values = new Set(after.values());

    /** The same line has another path, because an element before it was added or removed. */
    const onlyMoved = (key: string) => reordered && !isAddedOrRemoved(key) && values.has(before.get(key) ?? '');

    /** Only a state or a window's frame changed; applications seldom change these by themselves. */
    function isStateChange(key: string): boolean {
      if (isAddedOrRemoved(key)) return false;
      const rest = WINDOW.test(key) ? FRAME_SUFFIX : STATE_SUFFIX;
      return before.get(key)?.replace(rest, '') === after.get(key)?.replace(rest, '');
    }

    function isTarget(key: string): boolean {
      if (own === null || onlyMoved(key)) return false;
      return key === own || (hasParts && key.startsWith(`${own}/`));
    }

    function isExplained(key: string): boolean {
      // Where the focus moves, its own line says so. A caret that goes on by itself, as in a terminal, explains nothing.
      if (isSelection(key)) return !isAddedOrRemoved(key) && history.fact(pid, key) !== 'own';
      if (WINDOW.test(key) && isAddedOrRemoved(key)) return history.windows(pid) !== 'own';
      if (isTarget(key) && isStateChange(key)) return true;
      if (history.fact(pid, key) === 'own') return false;
      if (isTarget(key)) return true;
      if (isAddedOrRemoved(key)) return history.elements(pid) === 'still';
      if (isStateChange(key)) return true;
      const [one, other] = [before.get(key) ?? '', after.get(key) ?? ''];
      return history.fact(pid, key) === 'still' && !PROGRESS_ROLE.test(other) && !isTime(one, other);
    }

    return {
      /** Whether anything changed. */
      any: (): boolean => keys.length > 0,
      /** The changes that the act explains. */
      explained(): { before: Facts; after: Facts } {
        const explainedKeys = keys.filter(isExplained);
        const only = (facts: Facts) =>
          new Map(explainedKeys.flatMap((key) => [[key, facts.get(key)] as const]).filter(hasValue));
        return { before: only(before), after: only(after) };
      },
    };
  };
}

const isSelection = (key: string): boolean => key.endsWith(SELECTION_KEY);

/** Only a time of day in the text differs. A clock may look still for a minute. */
function isTime(one: string, other: string): boolean {
  return one !== other && one.replace(TIME, '') === other.replace(TIME, '');
}

function differing(one: Facts, other: Facts): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((key) => one.get(key) !== other.get(key));
}

const hasValue = (entry: readonly [string, string | undefined]): entry is readonly [string, string] =>
  entry[1] !== undefined;

/** Two frames of a screen at 60 Hz. */
export const TWO_FRAMES_MS = 33;

type Watched = Pick<DesktopReader, 'windowPaint' | 'untilApplication'>;

export class Rest {
  readonly #desktop: Watched;
  readonly #window: Window;
  /** The last one before the act; null: no paint can be told of. */
  readonly #paint: WindowPaint | null;
  readonly #ended = new AbortController();
  readonly #whenRead: Promise<void>;
  #answer: 'read' | 'unread' | 'untold' = 'unread';
  #readAt = Infinity;
  #lookingAt = -Infinity;

  /** To be made right after the act. */
  constructor(desktop: Watched, window: Window, paint: WindowPaint | null, signal: AbortSignal) {
    this.#desktop = desktop;
    this.#window = window;
    this.#paint = paint;
    const either = AbortSignal.any([signal, this.#ended.signal]);
    this.#whenRead = desktop.untilApplication(window.id, 'read', either).then(
      (read) => {
        this.#answer = read === null ? 'untold' : read ? 'read' : 'unread';
        if (read === true) this.#readAt = performance.now();
      },
      () => undefined,
    );
  }

  end = (): void => this.#ended.abort();

  /** Resolves once the input was read, after `mostMs` in any case. */
  async beginLooking(mostMs: number, signal: AbortSignal): Promise<void> {
    const enough = new AbortController();
    const late = delay(mostMs, AbortSignal.any([signal, enough.signal])).catch(() => undefined);
    await Promise.race([this.#whenRead, late]).finally(() => enough.abort());
    signal.throwIfAborted();
    this.#lookingAt = performance.now();
  }

  /** The system cannot tell. */
  isUntold = (): boolean => this.#answer === 'untold';
  /** The application has not read the input yet. */
  isUnread = (): boolean => this.#answer === 'unread';
  /** It had read the input before it was looked at. */
  wasReadFirst = (): boolean => this.#readAt <= this.#lookingAt;

  /** As `reached`, two frames after the input was read, whatever the application does then. */
  async settled(lookBegan: number, signal: AbortSignal): Promise<boolean> {
    if (!(await this.#sawInputRead(lookBegan))) return false;
    await this.#sinceRead(TWO_FRAMES_MS, signal).catch(never);
    return true;
  }

  /** See {@link EarlyEnd}: true at rest with nothing painted for `quietMs`, false where the look began before the input was read. */
  async reached(lookBegan: number, signal: AbortSignal, quietMs = TWO_FRAMES_MS): Promise<boolean> {
    if (!(await this.#sawInputRead(lookBegan))) return false;
    if (this.#paint === null) return never();
    return (await this.#rests(signal, quietMs).catch(() => false)) || never();
  }

  /** Whether the look saw what the application made of the input. Resolves once that was read, if ever. */
  async #sawInputRead(lookBegan: number): Promise<boolean> {
    await this.#whenRead;
    return this.#answer === 'read' ? lookBegan >= this.#readAt : never();
  }

  async #rests(signal: AbortSignal, quietMs: number): Promise<boolean> {
    const { id } = this.#window;
    const frames = this.#sinceRead(quietMs, signal);
    const [rests] = await Promise.all([this.#desktop.untilApplication(id, 'rest', signal), frames]);
    const paint = await this.#desktop.windowPaint(id, null, signal);
    return rests === true && paint !== null && paint.unpaintedMs >= quietMs;
  }

  /** At once where they have passed: a paint comes no sooner. */
  async #sinceRead(ms: number, signal: AbortSignal): Promise<void> {
    const left = this.#readAt + ms - performance.now();
    if (left > 0) await delay(left, signal);
  }

  /** Whether the window was painted since before the act. */
  async isPainted(signal: AbortSignal): Promise<boolean> {
    const now = await this.#desktop.windowPaint(this.#window.id, null, signal).catch(() => null);
    return now === null || now.generation !== this.#paint?.generation;
  }
}

const never = (): Promise<never> => new Promise(() => undefined);
