/** Whether an agent may see what a call looks at, at this moment: by policy, by what the person allowed for the session, or by a grant. */
import { subjectWithoutPlace, title } from '../protocol/index.js';
import type { App, Window } from '../../native/desktop.js';
import { planWithoutTarget, type Plan } from './plan.js';
import type { Approver, Caller } from './ports.js';

type Named = Pick<App, 'id' | 'name' | 'program'>;

/** What would be seen: one application, through `window` where one is known. */
export const sightOfApp = (app: Named, window: Window | null): Plan => ({
  ...planWithoutTarget({ ...subjectWithoutPlace(title('title.read_controls')), app: app.name }),
  target: { kind: 'reading', name: app.name },
  window,
  application: app,
});

/** Whether this agent may see the application of this window now, without the person being asked. */
export const maySee = (approver: Pick<Approver, 'sight'>, caller: Caller, window: Window): boolean =>
  approver.sight(caller, sightOfApp(window.app, window)) === 'sees';
