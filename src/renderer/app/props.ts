import type { Actions } from './actions.js';
import type { PageState } from '../state/state.js';

export interface ViewProps {
  state: PageState;
  actions: Actions;
}
