import type { ShownDocuments, Window } from '../../native/desktop.js';

/** The facts that decide whether a window is protected. */
export interface WindowFacts {
  pid: number;
  title: string;
  documentUrl: string | null;
  documents?: ShownDocuments;
  /** Left out: true. */
  normal?: boolean;
  crowded?: true;
}

export const windowFactsOf = (window: Window): WindowFacts => ({ ...window, pid: window.app.pid });

/** Chaperone's windows and browser windows that show its page: never typed into, never clicked, masked in captures and trees. */
export interface Protection {
  /** null is the bare desktop. */
  isProtected(window: WindowFacts | null): boolean;
  /** The next step where a window is protected only because its browser does not report what it shows; else null. */
  hintFor(window: WindowFacts): string | null;
  /** True for a document of Chaperone in any window; `url` is null where that browser does not report it. */
  hidesDocument(pid: number, url: string | null): boolean;
  /** True while a pairing link is unspent: captures, trees and clipboard reads are refused. */
  isPairingLinkOpen(): boolean;
}
