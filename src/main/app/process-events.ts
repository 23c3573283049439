import type { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import { formatterFor } from '../../messages/catalogues.js';
import type { Electron } from './options.js';

interface ProcessEventsOptions {
  process: Pick<EventEmitter, 'on'>;
  electron: Pick<Electron, 'app' | 'Notification'>;
  log: Logger;
}

/** Signals and uncaught errors. After one the state is unknown, so the app quits in order: open requests are denied. */
export function handleProcessEvents({ process, electron: { app, Notification }, log }: ProcessEventsOptions): void {
  let ending = false;
  process.on('uncaughtException', (error: unknown) => {
    log.fatal({ err: error }, 'app: uncaught');
    if (ending) return;
    ending = true;
    notifyAndQuit();
  });
  process.on('unhandledRejection', (error: unknown) => log.error({ err: error }, 'app: unhandled'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => app.quit());

  function notifyAndQuit(): void {
    const { text } = formatterFor(app.isReady() ? app.getPreferredSystemLanguages() : []);
    if (app.isReady() && Notification.isSupported())
      new Notification({ title: text('app.alert.ended'), body: text('app.alert.ended_text') }).show();
    app.quit();
  }
}
