import { join } from 'node:path';
import type { App, Tray } from 'electron';
import type { Formatter } from '../../messages/index.js';
import { stateText, type TrayStatus, type TrayState } from './tray-status.js';

export interface TrayView {
  show(status: TrayStatus): void;
}

/** Template pictures follow the macOS menu bar's colour; other panels get pictures that can be seen on light and dark. */
export function trayPicture(icons: string, state: TrayState, platform: NodeJS.Platform): string {
  return join(icons, platform === 'darwin' ? `${state}Template.png` : `${state}.png`);
}

/** Shows the state as picture, text and number, because colour or shape alone is not enough. */
export function createTrayView({
  tray,
  app,
  icons,
  platform,
  words,
}: {
  tray: Pick<Tray, 'setImage' | 'setToolTip' | 'setTitle'>;
  app: Pick<App, 'setBadgeCount'>;
  icons: string;
  platform: NodeJS.Platform;
  words: Formatter;
}): TrayView {
  let shown = '';
  return {
    show(status) {
      const { state, waiting } = status;
      const now = `${state} ${waiting}`;
      if (now === shown) return;
      shown = now;
      tray.setImage(trayPicture(icons, state, platform));
      tray.setToolTip(`Chaperone: ${stateText(words, status)}`);
      if (platform === 'darwin') tray.setTitle(waiting > 0 ? String(waiting) : '', { fontType: 'monospacedDigit' });
      app.setBadgeCount(waiting);
    },
  };
}
