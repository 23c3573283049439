/** Posts events, in the helper process. */
import { DesktopError, type MouseButton, type Point, type Rect } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import {
  EVENT_FIELD,
  EVENT_TYPE,
  HID_STATE,
  HID_TAP,
  PERMIT_ALL,
  PIXELS,
  SUPPRESSION_STATES,
  SYSTEM_EVENT,
} from '../calls/events.js';
import { nullWithoutAnswer } from '../accessibility/answers.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import type { Scope } from '../foundation/scope.js';
import type {
  ButtonEvent,
  InputEvent,
  KeyEvent,
  MediaEvent,
  MoveEvent,
  PostTerms,
  ScrollEvent,
  Stroke,
  Typing,
} from './events.js';
import { openLayouts, ownFlags, RETURN, TAB, KEY_CODES, MODIFIER_FLAGS } from './layouts.js';
import { listDisplays } from '../screen/displays.js';

/** In every event of ours, so that they are told from those of the person and of other programs. */
export const EVENT_MARKER = 0x43_68_61_70;

const MAKE_EVENT = 'otherEventWithType:location:modifierFlags:timestamp:windowNumber:context:subtype:data1:data2:';
const PIXELS_A_LINE = 10;
const CORNER_INSET = 40;

const BUTTONS: Readonly<Record<MouseButton, { number: number; types: { down: number; up: number; dragged: number } }>> =
  {
    left: { number: 0, types: EVENT_TYPE.left },
    right: { number: 1, types: EVENT_TYPE.right },
    middle: { number: 2, types: EVENT_TYPE.other },
    back: { number: 3, types: EVENT_TYPE.other },
    forward: { number: 4, types: EVENT_TYPE.other },
  };

export type InputPosts = ReturnType<typeof openInputPosts>;

export function openInputPosts(core: Core) {
  const { bound, scoped } = core;
  const { coreGraphics: cg, textInput } = bound;
  const layouts = openLayouts(core);
  const left = createLeftPressed();
  let seen = 0;
  const isSecure = (): boolean => textInput.IsSecureEventInputEnabled() !== 0;

  /** Checked once more, right before: text that is posted to a password field would vanish without a word. */
  const require = (events: readonly InputEvent[], { until, layout }: PostTerms): void => {
    if (until !== null && Date.now() > until) throw new DesktopError('failed', message('native.input_late'));
    if (!cg.CGPreflightPostEventAccess()) {
      throw new DesktopError('permission', message('native.no_accessibility'), { permission: 'accessibility' });
    }
    if (layout !== null && layouts.current().serial !== layout) {
      throw new DesktopError('failed', message('native.layout_changed'));
    }
    const text = events.find((event) => event.kind === 'key' && event.text !== undefined && event.down);
    if (text?.kind === 'key' && isSecure()) throw secureUntypable(text.text ?? '');
  };
  const strokeOf = (character: string, secure: boolean, composes: boolean): Stroke => {
    if (character === '\n') return { keys: [{ code: RETURN, shift: false, option: false }] };
    if (character === '\t') return { keys: [{ code: TAB, shift: false, option: false }] };
    const layout = layouts.current();
    const key = layout.keys.get(character);
    if (key !== undefined && (secure || !composes)) return { keys: [key] };
    if (!secure) return { text: character };
    const keys = layout.composed(character);
    if (keys === null) throw secureUntypable(character);
    return { keys };
  };

  const pointer = (): Point =>
    scoped((scope) => {
      const now = scope.own(cg.CGEventCreate(null));
      if (now === null) throw new DesktopError('failed', message('native.event_not_made'));
      return cg.CGEventGetLocation(now);
    });
  const post = (events: readonly InputEvent[]): void =>
    scoped((scope) => {
      // All are made before the first is posted: one that cannot be made leaves nothing half done.
      const made = events.map((event) => makeEvent(core, scope, event));
      // Of keys in password fields no tap is told, and of keys for media none of ours.
      const secure = isSecure();
      seen += events.filter(({ kind }) => kind !== 'media' && !(secure && kind === 'key')).length;
      for (const event of made) cg.CGEventPost(HID_TAP, event);
      for (const event of events) left.posted(event);
    });

  return {
    close: layouts.close,
    /** How many events were posted that a tap can see. */
    seen: (): number => seen,
    pointer,
    /** Of all that was pressed here and is still held. */
    letGo(): void {
      if (left.isEmpty()) return;
      const main = nullWithoutAnswer(() => listDisplays(core))?.[0];
      const at = pointer();
      post(left.releases(at, main === undefined ? at : insideOf(main.frame)));
    },
    post(events: readonly InputEvent[], terms: PostTerms): void {
      require(events, terms);
      post(events);
    },
    typing(characters: readonly string[]): Typing {
      const [secure, composes] = [isSecure(), layouts.composes()];
      return {
        layout: layouts.current().serial,
        strokes: characters.map((character) => strokeOf(character, secure, composes)),
      };
    },
    shortcut(character: string): Typing {
      const own = layouts.current();
      const press = own.shortcuts.get(character) ?? layouts.latin().shortcuts.get(character);
      if (press === undefined)
        throw new DesktopError('unsupported', message('native.layout_lacks_key', { key: JSON.stringify(character) }));
      return { layout: own.serial, strokes: [{ keys: [press] }] };
    },
  };
}

/** Near the corner, where nothing starts by itself as in the corner. */
const insideOf = ({ x, y }: Rect): Point => ({ x: x + CORNER_INSET, y: y + CORNER_INSET });

const secureUntypable = (character: string): DesktopError =>
  new DesktopError('failed', message('native.secure_untypable', { character: JSON.stringify(character) }));

function makeEvent(core: Core, scope: Scope, event: InputEvent): Ref {
  const { coreGraphics: cg } = core.bound;
  if (event.kind === 'media') return makeMediaKey(core, scope, event);
  const source = event.kind === 'scroll' ? null : sourceOf(core, scope);
  const made = scope.own(createEvent(core, source, event));
  if (made === null) throw new DesktopError('failed', message('native.event_not_made'));
  if (event.kind === 'button' || event.kind === 'move') describeMouse(core, made, event);
  cg.CGEventSetIntegerValueField(made, EVENT_FIELD.userData, EVENT_MARKER);
  // Also none: an event takes over what is held down at the time otherwise, by the person too.
  cg.CGEventSetFlags(made, event.flags | (event.kind === 'key' ? ownFlags(event.code) : 0));
  return made;
}

/** AppKit makes it: the functions for keyboards know no such keys. */
function makeMediaKey(core: Core, scope: Scope, { key, down }: MediaEvent): Ref {
  const { coreGraphics: cg, objectiveC } = core.bound;
  const state = down ? SYSTEM_EVENT.down : SYSTEM_EVENT.up;
  const eventClass = objectiveC.objc_getClass('NSEvent');
  const data = (key << 16) | (state << 8);
  const made = core.pooled(() => {
    const event =
      eventClass === null
        ? null
        : core.bound.send(
            eventClass,
            MAKE_EVENT,
            SYSTEM_EVENT.type,
            { x: 0, y: 0 },
            state,
            0,
            0,
            null,
            SYSTEM_EVENT.mediaKeys,
            data,
            -1,
          );
    const borrowed = event === null ? null : core.bound.send(event, 'CGEvent');
    return borrowed === null ? null : scope.retain(borrowed);
  });
  if (made === null) throw new DesktopError('failed', message('native.event_not_made'));
  cg.CGEventSetIntegerValueField(made, EVENT_FIELD.userData, EVENT_MARKER);
  return made;
}

/** A source of its own keeps the person's input going: without that each event holds it up for a quarter of a second. */
function sourceOf({ bound }: Core, scope: Scope): Ref {
  const cg = bound.coreGraphics;
  const source = scope.own(cg.CGEventSourceCreate(HID_STATE));
  if (source === null) throw new DesktopError('failed', message('native.event_not_made'));
  cg.CGEventSourceSetUserData(source, EVENT_MARKER);
  cg.CGEventSourceSetLocalEventsSuppressionInterval(source, 0);
  for (const state of SUPPRESSION_STATES)
    cg.CGEventSourceSetLocalEventsFilterDuringSuppressionState(source, PERMIT_ALL, state);
  return source;
}

function createEvent(core: Core, source: Ref | null, event: Exclude<InputEvent, MediaEvent>) {
  if (event.kind === 'key') return createKey(core, source, event);
  if (event.kind === 'scroll') return createScroll(core, event);
  const { coreGraphics: cg } = core.bound;
  if (event.kind === 'button') {
    const { number, types } = BUTTONS[event.button];
    return cg.CGEventCreateMouseEvent(source, event.down ? types.down : types.up, event.at, number);
  }
  const held = event.held === null ? null : BUTTONS[event.held];
  return cg.CGEventCreateMouseEvent(source, held?.types.dragged ?? EVENT_TYPE.moved, event.at, held?.number ?? 0);
}

function createKey({ bound }: Core, source: Ref | null, { code, down, text }: KeyEvent) {
  const cg = bound.coreGraphics;
  const made = cg.CGEventCreateKeyboardEvent(source, code, down);
  if (made !== null && text !== undefined) {
    cg.CGEventKeyboardSetUnicodeString(made, text.length, Buffer.from(text, 'utf16le'));
  }
  return made;
}

/** The system's positive numbers move the content down and right. Lines are ignored by some views, points are not. */
function createScroll({ bound }: Core, { lines }: ScrollEvent) {
  const [down, right] = [-lines.y * PIXELS_A_LINE, -lines.x * PIXELS_A_LINE];
  return bound.coreGraphics.CGEventCreateScrollWheelEvent2(null, PIXELS, 2, down, right, 0);
}

/** Without the distances no drag begins. */
function describeMouse({ bound }: Core, made: Ref, event: ButtonEvent | MoveEvent): void {
  const set = bound.coreGraphics.CGEventSetIntegerValueField;
  set(made, EVENT_FIELD.eventNumber, event.sequence);
  if (event.kind === 'button') return set(made, EVENT_FIELD.clickState, event.clicks);
  set(made, EVENT_FIELD.deltaX, Math.round(event.by.x));
  set(made, EVENT_FIELD.deltaY, Math.round(event.by.y));
}

/**
 * What one helper has pressed and not let go of. The host knows it too, and lets go of it; where the host ends without a word, the
 * helper is the only one that can.
 */
function createLeftPressed() {
  const keys = new Map<number, KeyEvent>();
  const buttons = new Map<MouseButton, ButtonEvent>();
  const media = new Map<number, MediaEvent>();
  return {
    posted(event: InputEvent): void {
      if (event.kind === 'button') note(buttons, event.button, event);
      else if (event.kind === 'media') note(media, event.key, event);
      // Of text in place of a key nothing is held.
      else if (event.kind === 'key' && event.text === undefined) note(keys, event.code, event);
    },
    isEmpty: (): boolean => keys.size + buttons.size + media.size === 0,
    /** Buttons after Escape, `away` from where they were pressed; modifiers last. */
    releases: (from: Point, away: Point): InputEvent[] => [
      ...buttonReleases([...buttons.values()], from, away),
      ...[...media.values()].map((each) => ({ ...each, down: false })),
      ...keyReleases([...keys.keys()]),
    ],
  };
}

function note<Key, Event extends { down: boolean }>(held: Map<Key, Event>, key: Key, event: Event): void {
  if (event.down) held.set(key, event);
  else held.delete(key);
}

function buttonReleases(held: readonly ButtonEvent[], from: Point, away: Point): InputEvent[] {
  const [first] = held;
  if (first === undefined) return [];
  const { button, sequence } = first;
  const by = { x: away.x - from.x, y: away.y - from.y };
  const escape = (down: boolean): KeyEvent => ({ kind: 'key', code: KEY_CODES.get('escape') ?? 0, down, flags: 0 });
  return [
    escape(true),
    escape(false),
    { kind: 'move', at: away, by, held: button, sequence, flags: 0 },
    ...held.map((each) => ({ ...each, down: false, at: away, flags: 0 })),
  ];
}

function keyReleases(codes: readonly number[]): KeyEvent[] {
  const left = new Set(codes);
  const ordered = codes.toSorted((a, b) => Number(MODIFIER_FLAGS.has(a)) - Number(MODIFIER_FLAGS.has(b)));
  return ordered.map((code) => {
    left.delete(code);
    const flags = [...left].reduce((sum, each) => sum + (MODIFIER_FLAGS.get(each) ?? 0), 0);
    return { kind: 'key', code, down: false, flags };
  });
}
