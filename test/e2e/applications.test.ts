/** The ten cheapest tasks of `npm run apps`, in real applications that are started once each. */
import { describe, expect, test } from 'vitest';

interface Application {
  tasks: readonly { name: string }[];
}
interface Result {
  task: string;
  failure: string | null;
}
const at = (path: string) => new URL(`../../scripts/apps/${path}`, import.meta.url).href;
const { runTasks } = (await import(at('run.mjs'))) as {
  runTasks(name: string, application: Application, more: { user: object; together: boolean }): Promise<Result[]>;
};
const { APPLICATIONS } = (await import(at('index.mjs'))) as {
  APPLICATIONS: Record<'thunar' | 'terminal', Application>;
};
/** As whoever runs the tests: another user may not read this folder. */
const user = { as: [], give: () => undefined };

describe.each(['thunar', 'terminal'] as const)('%s', (name) => {
  test(
    '[req:AT-6] does five ordinary tasks, comes to rest and leaves no process behind',
    { timeout: 300_000 },
    async () => {
      const application = APPLICATIONS[name];
      const results = await runTasks(name, application, { user, together: true });
      expect(results.map(({ task, failure }) => [task, failure])).toEqual(
        application.tasks.map((task) => [task.name, null]),
      );
    },
  );
});
