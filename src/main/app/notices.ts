import type { Notification, NotificationConstructorOptions } from 'electron';
import { message } from '../../messages/index.js';
import type { Health } from '../protocol/index.js';
import type { Electron } from './options.js';

/** Notifications of the system. One that it does not show is replaced by a beep, and Health says why. */
export class Notices {
  #failure: string | null = null;

  constructor(readonly electron: Pick<Electron, 'Notification' | 'shell'>) {}

  /** null where this system has no notifications. */
  show(options: NotificationConstructorOptions): Notification | null {
    const { Notification, shell } = this.electron;
    if (!Notification.isSupported()) {
      shell.beep();
      return null;
    }
    const shown = new Notification(options);
    shown.once('show', () => (this.#failure = null));
    // macOS shows none of an app without a valid signature, nor where the person has switched them off.
    shown.once('failed', (_event, why) => {
      this.#failure = why;
      shell.beep();
    });
    shown.show();
    return shown;
  }

  issues(): Health['issues'] {
    if (this.#failure === null) return [];
    const title = message('health.no_notifications', { why: this.#failure });
    return [{ title, fix: message('health.notifications_fix') }];
  }
}
