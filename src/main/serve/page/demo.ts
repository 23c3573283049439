/** A person has the demo agent run. Only a paired page and the popover may: nobody starts programs here by talking to the host. */
import type { Paired } from './handler.js';
import type { Handler } from './handler.js';
import type { DemoPort, Outcome } from './ports.js';
import { DONE } from './outcomes.js';

export interface DemoPorts {
  /** Absent where this host cannot say what starts it. */
  demo?: DemoPort;
}

const NOT_OFFERED: Outcome = {
  ok: false,
  code: 'demo_not_offered',
  message: 'This host cannot start the demo: it does not know what starts it itself.',
};

export function createDemoing({ demo }: DemoPorts, paired: Paired): { runDemo: Handler<'runDemo'> } {
  return {
    runDemo: paired(
      async (page, { request, language }) => {
        if (demo === undefined) return NOT_OFFERED;
        const ended = await demo.run(language, page.person());
        if ('ok' in ended) return ended;
        // It may have been unpaired, or gone, meanwhile.
        if (page.role() === 'paired') page.send({ type: 'runDemo', request, ...ended });
        return DONE;
      },
      ({ request }) => request,
    ),
  };
}
