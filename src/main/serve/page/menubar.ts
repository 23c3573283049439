/** What a person asks of the menubar app. Refused where the host does not run in one. */
import { message } from '../../../messages/index.js';
import type { MenubarApp } from '../menubar-app.js';
import type { Definitions, PageRefusal } from './definition.js';

export interface MenubarDependencies {
  /** Absent where there is no menubar app. */
  menubarApp?: Pick<MenubarApp, 'showPopover' | 'openPermission' | 'relaunch'>;
  /** A freshly paired page in the person's browser. */
  openBrowser(): void;
}

type Handled = 'openPopover' | 'openBrowser' | 'openPermission' | 'relaunch';

const NO_MENUBAR_APP: PageRefusal = {
  ok: false,
  code: 'no_popover',
  message: message('refused.no_menu_bar'),
};
const NOT_IDLE: PageRefusal = { ok: false, code: 'not_idle', message: message('refused.not_idle') };
const NO_PANE: PageRefusal = { ok: false, code: 'no_pane', message: message('refused.no_pane') };

export const menubarHandlers: Definitions<Handled, MenubarDependencies> = {
  openPopover: {
    role: 'paired',
    handler({ menubarApp }) {
      if (menubarApp === undefined) return NO_MENUBAR_APP;
      menubarApp.showPopover();
      return undefined;
    },
  },
  openBrowser: {
    role: 'paired',
    handler({ page, openBrowser }) {
      if (!page.isPopover) return NO_MENUBAR_APP;
      openBrowser();
      return undefined;
    },
  },
  openPermission: {
    role: 'paired',
    handler({ menubarApp }, { pane }) {
      if (menubarApp === undefined) return NO_MENUBAR_APP;
      return menubarApp.openPermission(pane) ? undefined : NO_PANE;
    },
  },
  relaunch: {
    role: 'paired',
    handler({ menubarApp }) {
      if (menubarApp === undefined) return NO_MENUBAR_APP;
      return menubarApp.relaunch() ? undefined : NOT_IDLE;
    },
  },
};
