/** A desktop by hand: mouse, touch, keys and composed text on its picture are sent to the host, which does them there. */
import {
  useEffect,
  useId,
  useRef,
  useState,
  type CompositionEvent,
  type FormEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
} from 'react';
import type { DesktopInput } from '../../../main/protocol/index.js';
import { createThrottle } from '../../../base/throttle.js';
import type { Actions } from '../../app/actions.js';
import { t } from '../../strings.js';

type Send = (input: DesktopInput) => boolean;

interface Props {
  id: string;
  actions: Pick<Actions, 'send'>;
  /** The picture. */
  screen: ReactNode;
}

export function ByHand({ id, actions, screen }: Props): ReactNode {
  const send: Send = (input) => actions.send({ type: 'desktopInput', id, input });
  const area = useRef<HTMLDivElement>(null);
  const keys = useRef<HTMLTextAreaElement>(null);
  // A finger needs no keyboard on the screen; there is a field for that.
  const [touched, setTouched] = useState(false);
  const pointer = usePointer(send, ({ pointerType }) => {
    setTouched(pointerType === 'touch');
    keys.current?.focus({ preventScroll: true });
  });
  useWheel(area, send);
  return (
    <>
      <div className="by-hand" ref={area} {...pointer}>
        {screen}
        <textarea
          ref={keys}
          className="by-hand-keys"
          aria-label={t('page.desktops.by_hand')}
          inputMode={touched ? 'none' : undefined}
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          {...keyHandlers(send)}
        />
      </div>
      <SecretField send={send} />
    </>
  );
}

function SecretField({ send }: { send: Send }): ReactNode {
  const [text, setText] = useState('');
  const field = useId();
  return (
    <>
      <label className="small mut" htmlFor={field}>
        {t('page.desktops.type')}
      </label>
      <input
        id={field}
        className="field"
        type="password"
        autoComplete="off"
        maxLength={MAX_TEXT}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || text === '') return;
          if (send({ kind: 'text', text })) setText('');
        }}
      />
    </>
  );
}

// Mouse and touch. Places are parts of the picture.

const BUTTONS = ['left', 'middle', 'right'] as const;
/** Between two moves: a person sees no difference. */
const MOVE_MS = 40;

type Pressed = Pick<Extract<DesktopInput, { kind: 'button' }>, 'button' | 'held'>;

function usePointer(send: Send, onDown: (event: PointerEvent) => void) {
  /** What is down there, with the keys that are held for it. */
  const pressed = useRef<Pressed | null>(null);
  const place = useRef({ x: 0, y: 0 });
  const [moves] = useState(() => ({
    send,
    throttle: createThrottle(() => moves.send({ kind: 'move', ...place.current }), MOVE_MS),
  }));
  moves.send = send;
  useEffect(() => moves.throttle.close, [moves]);

  const press = (one: Pressed, down: boolean) => {
    // The press says where; a move from before would come after it.
    moves.throttle.close();
    pressed.current = down ? one : null;
    send({ kind: 'button', down, ...one, ...place.current });
  };
  /** Also where the browser takes the pointer away: nothing stays pressed there. */
  const release = (event: PointerEvent) => {
    if (!event.isPrimary || pressed.current === null) return;
    event.preventDefault();
    press(pressed.current, false);
  };
  return {
    onPointerDown(event: PointerEvent<HTMLElement>): void {
      const button = BUTTONS[event.button];
      if (!event.isPrimary || button === undefined || pressed.current !== null) return;
      event.preventDefault();
      onDown(event);
      event.currentTarget.setPointerCapture(event.pointerId);
      place.current = placeOf(event);
      const held = heldKeys(event);
      press({ button, ...(held.length === 0 ? {} : { held }) }, true);
    },
    onPointerUp(event: PointerEvent<HTMLElement>): void {
      if (event.isPrimary) place.current = placeOf(event);
      release(event);
    },
    onPointerCancel: release,
    onLostPointerCapture: release,
    onPointerMove(event: PointerEvent<HTMLElement>): void {
      if (!event.isPrimary) return;
      place.current = placeOf(event);
      moves.throttle.later();
    },
    // It would focus what is under it.
    onMouseDown: (event: MouseEvent): void => event.preventDefault(),
    onContextMenu: (event: MouseEvent): void => event.preventDefault(),
  };
}

const PIXELS_PER_LINE = 40;
const MAX_LINES = 20;

/** The page stays where it is; React cannot say so, because it listens to wheels passively. */
function useWheel(area: { readonly current: HTMLElement | null }, send: Send): void {
  const to = useRef(send);
  useEffect(() => void (to.current = send));
  useEffect(() => {
    const element = area.current;
    if (element === null) return undefined;
    // A touchpad sends a few pixels at a time.
    let rest = 0;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      rest += event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY : event.deltaY / PIXELS_PER_LINE;
      const lines = Math.max(-MAX_LINES, Math.min(MAX_LINES, Math.trunc(rest)));
      if (lines === 0) return;
      rest -= lines;
      to.current({ kind: 'scroll', lines, ...partOf(element, event) });
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [area]);
}

type At = Pick<MouseEvent, 'clientX' | 'clientY'>;

const placeOf = (event: MouseEvent<HTMLElement>) => partOf(event.currentTarget, event);

function partOf(area: HTMLElement, { clientX, clientY }: At): { x: number; y: number } {
  const frame = (area.querySelector('img') ?? area).getBoundingClientRect();
  const part = (at: number, start: number, size: number) => Math.max(0, Math.min(1, (at - start) / Math.max(size, 1)));
  return { x: part(clientX, frame.left, frame.width), y: part(clientY, frame.top, frame.height) };
}

// Keys, and text that an input method composes.

const MAX_TEXT = 1_000;

/** The browser's names of keys that are called otherwise on the desktop. */
const KEYS: ReadonlyMap<string, string> = new Map([
  ['Enter', 'enter'],
  ['Backspace', 'backspace'],
  ['Tab', 'tab'],
  ['Escape', 'escape'],
  ['Delete', 'delete'],
  ['Home', 'home'],
  ['End', 'end'],
  ['PageUp', 'pageup'],
  ['PageDown', 'pagedown'],
  ['ArrowUp', 'up'],
  ['ArrowDown', 'down'],
  ['ArrowLeft', 'left'],
  ['ArrowRight', 'right'],
  ['Insert', 'insert'],
]);

function keyHandlers(send: Send) {
  /** Whatever a key or an input method has written into the field belongs to the desktop. */
  const take = (field: HTMLTextAreaElement) => {
    const { value } = field;
    field.value = '';
    for (let at = 0; at < value.length; at += MAX_TEXT) send({ kind: 'text', text: value.slice(at, at + MAX_TEXT) });
  };
  return {
    onKeyDown(event: KeyboardEvent): void {
      // An input method has the key first.
      const input = event.nativeEvent.isComposing ? null : inputOf(event);
      // The page has keys of its own, such as D for Deny.
      event.stopPropagation();
      if (input === null) return;
      event.preventDefault();
      send(input);
    },
    onInput(event: FormEvent<HTMLTextAreaElement>): void {
      if (!(event.nativeEvent instanceof InputEvent && event.nativeEvent.isComposing)) take(event.currentTarget);
    },
    onCompositionEnd: (event: CompositionEvent<HTMLTextAreaElement>): void => take(event.currentTarget),
  };
}

type Held = Pick<KeyboardEvent, 'ctrlKey' | 'altKey' | 'metaKey' | 'shiftKey'>;

function heldKeys({ ctrlKey, altKey, metaKey, shiftKey }: Held) {
  const held = [
    ctrlKey ? ('ctrl' as const) : null,
    altKey ? ('alt' as const) : null,
    metaKey ? ('super' as const) : null,
    shiftKey ? ('shift' as const) : null,
  ];
  return held.filter((one) => one !== null);
}

/** null for keys that do nothing alone, and for Shift+Tab, with which the person leaves the picture. */
function inputOf(event: KeyboardEvent): DesktopInput | null {
  const { key, ctrlKey, altKey, metaKey, shiftKey } = event;
  const named = KEYS.get(key) ?? (/^F\d{1,2}$/.test(key) ? key.toLowerCase() : null);
  if (key === 'Tab' && shiftKey) return null;
  const character = [...key].length === 1;
  // The third level of a keyboard is reached with keys that look like Ctrl and Alt.
  const plain = !ctrlKey && !altKey && !metaKey;
  if (character && (plain || event.getModifierState('AltGraph'))) return { kind: 'text', text: key };
  if (named === null && !character) return null;
  return { kind: 'keys', keys: [...heldKeys(event), named ?? key.toLowerCase()] };
}
