import type { Gtk4Layout } from './gtk4-layout.js';
import type { AccessibleObject } from './accessible-object.js';
import type { Scaling, WindowOrigins } from './window-origins.js';
import type { Toolkit } from './toolkit.js';

/** What is common to all elements of one application. */
export interface AppContext {
  pid: number;
  toolkit: Toolkit;
  /** null for other toolkits. GTK 4 never reports the state “showing”: a widget that has a position is shown. */
  gtk4Layout: Gtk4Layout | null;
  /** GTK 2 with an open menu: which of its menu items are shown, only their positions tell. */
  opensMenus: boolean;
  scaling: Scaling;
  /** null where it tells places on the screen, or its layout computes them. */
  origins: WindowOrigins | null;
  /** False where `correct` changes nothing. */
  corrects: boolean;
  /** Corrects what toolkits report: elements of a minimised window are not shown. */
  correct: (item: AccessibleObject, path: readonly number[]) => AccessibleObject;
  /** False once the application has refused to give an accessible id. */
  identifiers: boolean;
}
