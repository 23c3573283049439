/** What a person has the menubar app do. Refused where the host does not run in one. */
import { message } from '../../../messages/index.js';
import type { Shell } from '../menubar-app.js';
import type { Definitions, Refusal } from './definition.js';

export interface MenubarDependencies {
  /** Absent where there is no menubar app. */
  shell?: Pick<Shell, 'showPopover' | 'openPermission'>;
  /** A freshly paired page in the person's browser. */
  openBrowser(): void;
}

type Handled = 'openPopover' | 'openBrowser' | 'openPermission';

const NO_MENUBAR_APP: Refusal = {
  ok: false,
  code: 'no_popover',
  message: message('refused.no_menu_bar'),
};
const NO_PANE: Refusal = { ok: false, code: 'no_pane', message: message('refused.no_pane') };

export const menubarMessages: Definitions<Handled, MenubarDependencies> = {
  openPopover: {
    role: 'paired',
    handler({ shell }) {
      if (shell === undefined) return NO_MENUBAR_APP;
      shell.showPopover();
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
    handler({ shell }, { pane }) {
      if (shell === undefined) return NO_MENUBAR_APP;
      return shell.openPermission(pane) ? undefined : NO_PANE;
    },
  },
};
