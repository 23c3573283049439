/** What a paired page asks and changes on its settings view, besides the policy's preset. */
import type { Paired } from './handler.js';
import type { Handler } from './handler.js';
import { DONE, TOO_MANY } from './outcomes.js';
import type { Page } from './page.js';
import type { ApprovalsPort, Outcome, Reply, SettingsPort } from './ports.js';

export interface SettingsPorts {
  approvals: ApprovalsPort;
  settings: SettingsPort;
}

type QuestionType = 'applications' | 'habits';
type Type = QuestionType | 'exclude' | 'setRetention';
export type SettingsHandlers = { [T in Type]: Handler<T> };

export function createSettings({ approvals, settings }: SettingsPorts, paired: Paired): SettingsHandlers {
  /** It may have been unpaired while the answer was looked up. */
  async function answer<T extends QuestionType>(
    page: Page,
    { type, request }: { type: T; request: string },
    find: () => Promise<Reply<T>>,
  ): Promise<Outcome> {
    if (!page.budgets.questions.take()) return TOO_MANY;
    const reply = await find();
    if (page.role() === 'paired') page.sendText(JSON.stringify({ type, request, ...reply }));
    return DONE;
  }

  return {
    applications: paired(
      (page, question) => answer(page, question, async () => ({ apps: await settings.applications() })),
      ({ request }) => request,
    ),
    habits: paired(
      (page, question) => answer(page, question, async () => ({ habits: settings.habits() })),
      ({ request }) => request,
    ),
    exclude: paired((page, { appId, on }) => approvals.exclude(appId, on, page.person())),
    setRetention: paired((page, { retention }) => approvals.setRetention(retention, page.person())),
  };
}
