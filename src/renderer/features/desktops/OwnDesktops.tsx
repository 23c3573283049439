/** On Home: the desktops of agents' own, live. The person takes one over, works there by hand, and hands it back. */
import {
  useCallback,
  useId,
  useState,
  type ReactNode,
  useRef,
  type KeyboardEvent,
  type PointerEvent,
  type WheelEvent,
  type MouseEvent,
} from 'react';
import { toPlainText, type OwnDesktop, type DesktopInput } from '../../../main/protocol/index.js';
import type { ViewProps } from '../../app/actions.js';
import { t } from '../../strings.js';
import { agentName } from '../../ui/agents.js';
import { Button } from '../../ui/Button.js';
import { Region } from '../../ui/Region.js';
import { ScreenOrNotice, useLiveFrame } from '../live/LiveScreen.js';

export function OwnDesktops({ state, actions }: ViewProps): ReactNode {
  const desktops = state.status?.desktops ?? [];
  if (state.role !== 'paired' || desktops.length === 0) return null;
  return (
    <Region id="desktops" heading={t('page.desktops.title')}>
      <ul className="own-desktops">
        {desktops.map((desktop) => (
          <Tile key={desktop.id} desktop={desktop} online={state.connection === 'open'} actions={actions} />
        ))}
      </ul>
    </Region>
  );
}

interface TileProps {
  desktop: OwnDesktop;
  online: boolean;
  actions: ViewProps['actions'];
}

function Tile({ desktop, online, actions }: TileProps): ReactNode {
  const { id, taken } = desktop;
  const [took, setTook] = useState(false);
  const agent = toPlainText(agentName(desktop.agent));
  const { watchDesktop } = actions;
  const watch = useCallback<typeof watchDesktop>((still, show) => watchDesktop(still, show, id), [watchDesktop, id]);
  const live = useLiveFrame(watch, online, null);
  const byHand = taken && took && online;
  const screen = <ScreenOrNotice live={live} alt={t('page.desktops.alt', { agent })} empty={t('page.live.starting')} />;
  return (
    <li className={byHand ? 'own-desktop taken' : 'own-desktop'} data-anchor data-desktop={id}>
      {byHand ? <ByHand id={id} actions={actions} screen={screen} /> : screen}
      <p className="small">{t(taken ? 'page.desktops.taken' : 'page.desktops.of', { agent })}</p>
      {taken ? <HandBack id={id} actions={actions} online={online} /> : null}
      <Acts
        {...{ desktop, online, actions }}
        onTake={byHand ? null : () => setTook(actions.send({ type: 'takeDesktop', id }))}
      />
    </li>
  );
}

function Acts({ desktop, online, actions, onTake }: TileProps & { onTake: (() => void) | null }): ReactNode {
  const { id, kept } = desktop;
  const keep = () => actions.send({ type: 'keepDesktop', id, on: !kept });
  return (
    <div className="acts">
      {onTake === null ? null : (
        <Button variant="sm" icon="hand" disabled={!online} onClick={onTake}>
          {t('page.desktops.take')}
        </Button>
      )}
      <Button variant="sm" icon="lock" disabled={!online} onClick={keep}>
        {t(kept ? 'page.desktops.unkeep' : 'page.desktops.keep')}
      </Button>
      <Button variant="sm" icon="x" disabled={!online} onClick={() => actions.send({ type: 'endDesktop', id })}>
        {t('page.desktops.end')}
      </Button>
    </div>
  );
}

type HandProps = Pick<TileProps, 'actions'> & { id: string };

/** The picture takes mouse, touch and keys. */
function ByHand({ id, actions, screen }: HandProps & { screen: ReactNode }): ReactNode {
  const hand = useHand((input) => actions.send({ type: 'desktopInput', id, input }));
  const [text, setText] = useState('');
  const field = useId();
  return (
    <>
      <div className="by-hand" role="application" tabIndex={0} aria-label={t('page.desktops.by_hand')} {...hand}>
        {screen}
      </div>
      <label className="small mut" htmlFor={field}>
        {t('page.desktops.type')}
      </label>
      <input
        id={field}
        className="field"
        type="password"
        autoComplete="off"
        maxLength={1_000}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || text === '') return;
          if (actions.send({ type: 'desktopInput', id, input: { kind: 'text', text } })) setText('');
        }}
      />
    </>
  );
}

function HandBack({ id, actions, online }: HandProps & { online: boolean }): ReactNode {
  const [message, setMessage] = useState('');
  const field = useId();
  const handBack = () => actions.send({ type: 'handBack', id, message });
  return (
    <div className="hand-back">
      <label className="small mut" htmlFor={field}>
        {t('page.desktops.message')}
      </label>
      <input
        id={field}
        className="field"
        maxLength={4_000}
        value={message}
        autoComplete="off"
        onChange={(event) => setMessage(event.target.value)}
      />
      <Button variant="sm" icon="check" disabled={!online} onClick={handBack}>
        {t('page.desktops.hand_back')}
      </Button>
    </div>
  );
}

const BUTTONS = ['left', 'middle', 'right'] as const;
/** Between two moves: a person sees no difference. */
const MOVE_MS = 40;
const PIXELS_PER_LINE = 40;

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

/** Mouse, touch and keys on the picture of a desktop, as the host does them there. Places are parts of the picture. */
function useHand(send: (input: DesktopInput) => void) {
  const movedAt = useRef(0);
  const pressed = (event: PointerEvent<HTMLElement>, down: boolean) => {
    const button = BUTTONS[event.button];
    if (!event.isPrimary || button === undefined) return;
    event.preventDefault();
    event.currentTarget.focus({ preventScroll: true });
    if (down) event.currentTarget.setPointerCapture(event.pointerId);
    send({ kind: 'button', button, down, ...placeOf(event) });
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>): void => pressed(event, true),
    onPointerUp: (event: PointerEvent<HTMLElement>): void => pressed(event, false),
    onPointerMove(event: PointerEvent<HTMLElement>): void {
      if (!event.isPrimary || event.timeStamp - movedAt.current < MOVE_MS) return;
      movedAt.current = event.timeStamp;
      send({ kind: 'move', ...placeOf(event) });
    },
    onWheel(event: WheelEvent<HTMLElement>): void {
      const lines = Math.max(-20, Math.min(20, Math.round(-event.deltaY / PIXELS_PER_LINE)));
      if (lines !== 0) send({ kind: 'scroll', lines, ...placeOf(event) });
    },
    onContextMenu: (event: MouseEvent): void => event.preventDefault(),
    onKeyDown(event: KeyboardEvent): void {
      const input = inputOf(event);
      if (input === null) return;
      event.preventDefault();
      // The page has keys of its own, such as D for Deny.
      event.stopPropagation();
      send(input);
    },
  };
}

function placeOf({ clientX, clientY, currentTarget }: MouseEvent<HTMLElement>): { x: number; y: number } {
  const frame = (currentTarget.querySelector('img') ?? currentTarget).getBoundingClientRect();
  const part = (at: number, start: number, size: number) => Math.max(0, Math.min(1, (at - start) / Math.max(size, 1)));
  return { x: part(clientX, frame.left, frame.width), y: part(clientY, frame.top, frame.height) };
}

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey' | 'shiftKey'>;

/** null for keys that do nothing alone, and for Shift+Tab, with which the person leaves the picture. */
function inputOf({ key, ctrlKey, altKey, metaKey, shiftKey }: Key): DesktopInput | null {
  const named = KEYS.get(key) ?? (/^F\d{1,2}$/.test(key) ? key.toLowerCase() : null);
  if (key === 'Tab' && shiftKey) return null;
  const character = [...key].length === 1;
  if (character && !ctrlKey && !altKey && !metaKey) return { kind: 'text', text: key };
  if (named === null && !character) return null;
  const held = [ctrlKey ? 'ctrl' : null, altKey ? 'alt' : null, metaKey ? 'super' : null, shiftKey ? 'shift' : null];
  return { kind: 'keys', keys: [...held.filter((one) => one !== null), named ?? key.toLowerCase()] };
}
