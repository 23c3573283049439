/** Runs the demo agent when a person asks for it. Agents cannot start it. */
import { message, type Language } from '../../../messages/index.js';
import type { Definitions, PageRefusal, Reply } from './definition.js';
import type { Person } from './page.js';

export interface DemoRunner {
  /** Resolves once it has ended. */
  run(language: Language, person: Person): Promise<Reply<'runDemo'> | PageRefusal>;
}

export interface DemoDependencies {
  /** Absent where this host cannot say what starts it. */
  demo?: DemoRunner;
}

const NOT_OFFERED: PageRefusal = {
  ok: false,
  code: 'demo_not_offered',
  message: message('refused.no_demo'),
};

export const demoHandlers: Definitions<'runDemo', DemoDependencies> = {
  runDemo: {
    role: 'paired',
    handler: ({ demo, person }, { language }) => demo?.run(language, person) ?? NOT_OFFERED,
  },
};
