import { EventEmitter } from 'node:events';
import type {
  MenuItemConstructorOptions,
  NotificationAction,
  NotificationConstructorOptions,
  Rectangle,
} from 'electron';
import type { Machine } from './machine.js';

const NOT_ALLOWED = 'Notifications are not allowed for this application';

export class TrayStandIn extends EventEmitter {
  image: string;
  tooltip = '';
  title = '';
  menu: MenuStandIn | null = null;
  poppedUp: MenuStandIn | null = null;
  destroyed = false;
  bounds: Rectangle = { x: 1500, y: 0, width: 24, height: 24 };

  constructor(image: string) {
    super();
    this.image = image;
  }
  setImage(image: string): void {
    this.image = image;
  }
  setToolTip(text: string): void {
    this.tooltip = text;
  }
  setTitle(title: string, _options?: { fontType?: string }): void {
    this.title = title;
  }
  setContextMenu(menu: MenuStandIn | null): void {
    this.menu = menu;
  }
  popUpContextMenu(menu?: MenuStandIn): void {
    this.poppedUp = menu ?? null;
  }
  getBounds(): Rectangle {
    return this.bounds;
  }
  destroy(): void {
    this.destroyed = true;
  }
}

export class MenuStandIn {
  constructor(readonly items: MenuItemConstructorOptions[]) {}

  /** A person chooses it; a checkbox has changed by then. */
  choose(id: string): void {
    const item = this.items.find((one) => one.id === id);
    if (item?.click === undefined || item.enabled === false) throw new Error(`${id} cannot be chosen`);
    const chosen = { ...item, checked: item.type === 'checkbox' ? item.checked !== true : item.checked };
    Reflect.apply(item.click, item, [chosen, undefined, {}]);
  }
}

/** One desktop's notifications: those on the screen, and all there ever were. */
export class NotificationStandIn extends EventEmitter {
  state: 'made' | 'shown' | 'failed' | 'closed' = 'made';
  readonly title: string;
  readonly body: string;
  readonly silent: boolean;
  readonly actions: readonly NotificationAction[];

  constructor(
    { title = '', body = '', silent = false, actions = [] }: NotificationConstructorOptions,
    readonly machine: Pick<Machine, 'team'>,
  ) {
    super();
    this.title = title;
    this.body = body;
    this.silent = silent;
    this.actions = actions;
  }
  /** A person presses one of its buttons. */
  press(text: string): void {
    const actionIndex = this.actions.findIndex((action) => action.text === text);
    if (actionIndex < 0) throw new Error(`the notification has no button ${text}`);
    this.emit('action', { actionIndex });
  }
  /** Told later, as by UNUserNotificationCenter, which shows none of an app without a signature. */
  show(): void {
    const refused = this.machine.team === null;
    this.state = refused ? 'failed' : 'shown';
    setImmediate(() => (refused ? this.emit('failed', {}, NOT_ALLOWED) : this.emit('show', {})));
  }
  close(): void {
    this.state = 'closed';
  }
  static isSupported(): boolean {
    return true;
  }
}

export class PowerMonitorStandIn extends EventEmitter {
  locked = false;

  getSystemIdleState(_threshold: number): 'active' | 'locked' {
    return this.locked ? 'locked' : 'active';
  }
  lock(on: boolean): void {
    this.locked = on;
    this.emit(on ? 'lock-screen' : 'unlock-screen');
  }
}

export class ShortcutsStandIn {
  readonly held = new Map<string, () => void>();

  /** Accelerators other programs hold. */
  readonly taken = new Set<string>();

  register(accelerator: string, pressed: () => void): boolean {
    if (this.taken.has(accelerator)) return false;
    this.held.set(accelerator, pressed);
    return true;
  }
  unregister(accelerator: string): void {
    this.held.delete(accelerator);
  }
}
