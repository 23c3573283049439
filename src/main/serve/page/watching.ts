/** What a paired page watches, checks and holds back: the desktop as it is, this installation, and single agents. */
import type { FromPage } from '../../protocol/index.js';
import type { Paired } from './handler.js';
import type { Handler } from './handler.js';
import { DONE, TOO_MANY } from './outcomes.js';
import type { Page } from './page.js';
import type { ControlPort, DoctorPort, LivePort, Outcome } from './ports.js';

export interface WatchPorts {
  control: ControlPort;
  live: LivePort;
  doctor: DoctorPort;
}

type Type = 'live' | 'frameTaken' | 'pauseAgent' | 'forgetAgent' | 'takeOver' | 'check';
export type Watching = { [T in Type]: Handler<T> };
type Message<T extends Type> = Extract<FromPage, { type: T }>;

export function createWatching(
  { control, live, doctor }: WatchPorts,
  paired: Paired,
  report: (page: Page, outcome: Outcome) => void,
): Watching {
  /** Only the person lets one go on; a page that is not paired may hold it back. */
  const resumed = paired<'pauseAgent'>((page, { id }) => control.pauseAgent(id, false, page.person()));

  async function check(page: Page, { request, record }: Message<'check'>): Promise<Outcome> {
    if (!page.budgets.questions.take()) return TOO_MANY;
    const found = await doctor.check(record);
    // It may have been unpaired meanwhile.
    if (page.role() === 'paired') page.sendText(JSON.stringify({ type: 'check', request, ...found }));
    return DONE;
  }

  return {
    live: paired((page, { on, still }) => {
      if (on) live.show(page, still === true, page.send);
      else live.leave(page);
      return DONE;
    }),
    frameTaken: paired((page, { seq }) => {
      live.taken(page, seq);
      return DONE;
    }),
    pauseAgent: async (page, message) =>
      message.on ? report(page, await control.pauseAgent(message.id, true, page.person())) : resumed(page, message),
    forgetAgent: paired((page, { id }) => control.forget(id, page.person())),
    takeOver: paired((page) => control.takeOver(page.person())),
    check: paired(check, ({ request }) => request),
  };
}
