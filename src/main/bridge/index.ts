/**
 * The desktop.* methods of the bridge contract, as actions. `host/` builds them; `calls/` runs them for JSON-RPC clients through the
 * pipeline. A method never asks for approval, writes evidence or acts on the desktop except through its context.
 */
import type { AnyAction } from '../pipeline/action.js';
import type { BridgeDeps } from './method.js';
import { controlActions } from './control.js';
import { findActions } from './find.js';
import { confirmActions } from './confirm.js';
import { healthActions } from './health.js';
import { observe } from './observe.js';

export function bridgeActions(deps: BridgeDeps): AnyAction[] {
  const control = controlActions(deps);
  return [...healthActions(deps), observe, ...findActions(deps), ...control, ...confirmActions(deps, control)];
}
